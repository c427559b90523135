#!/usr/bin/env python3
"""Serves Django REST framework: 1,250 articles by each of its three paginators, and 50 authors with theirs.

/numbered/ has PageNumberPagination (a page past the end is 404), /limited/ LimitOffsetPagination, /cursors/
CursorPagination; each with 100 articles to a page. /authors/ and /authors/ID/articles/ are numbered, 20 to a page.
Articles are added by POST to a list, and changed and deleted at /articles/ID/.
"""

import tempfile

import django
from django.conf import settings
from running import arguments, serve_wsgi

ARTICLES, AUTHORS = 1250, 50
folder = tempfile.TemporaryDirectory()
settings.configure(
    SECRET_KEY="tests", ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, USE_TZ=True,
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{folder.name}/articles.db"}},
    REST_FRAMEWORK={"DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
                    "DEFAULT_AUTHENTICATION_CLASSES": [], "DEFAULT_PERMISSION_CLASSES": []})
django.setup()

from django.db import connection, models  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import generics, pagination, serializers  # noqa: E402


class Author(models.Model):
    name = models.CharField(max_length=40)

    class Meta:
        app_label = "contenttypes"


class Article(models.Model):
    author = models.ForeignKey(Author, models.CASCADE)
    title = models.CharField(max_length=40)

    class Meta:
        app_label = "contenttypes"


class AuthorSerializer(serializers.ModelSerializer):
    class Meta:
        model = Author
        fields = ["id", "name"]


class ArticleSerializer(serializers.ModelSerializer):
    class Meta:
        model = Article
        fields = ["id", "author", "title"]


class Numbered(pagination.PageNumberPagination):
    page_size = 100


class ByTwenty(pagination.PageNumberPagination):
    page_size = 20


class Limited(pagination.LimitOffsetPagination):
    default_limit = 100


class Cursors(pagination.CursorPagination):
    page_size = 100
    ordering = "id"


class Articles(generics.ListCreateAPIView):
    queryset = Article.objects.order_by("id")
    serializer_class = ArticleSerializer


class OneArticle(generics.RetrieveUpdateDestroyAPIView):
    queryset = Article.objects.all()
    serializer_class = ArticleSerializer


class Authors(generics.ListAPIView):
    queryset = Author.objects.order_by("id")
    serializer_class = AuthorSerializer
    pagination_class = ByTwenty


class ArticlesOfAuthor(Articles):
    pagination_class = ByTwenty

    def get_queryset(self):
        return super().get_queryset().filter(author=self.kwargs["author"])


urlpatterns = [
    path("numbered/", Articles.as_view(pagination_class=Numbered)),
    path("articles/<int:pk>/", OneArticle.as_view()),
    path("limited/", Articles.as_view(pagination_class=Limited)),
    path("cursors/", Articles.as_view(pagination_class=Cursors)),
    path("authors/", Authors.as_view()),
    path("authors/<int:author>/articles/", ArticlesOfAuthor.as_view()),
]


def fill():
    """Author A has the articles whose number leaves A - 1 when divided by the number of authors."""
    with connection.schema_editor() as editor:
        editor.create_model(Author)
        editor.create_model(Article)
    Author.objects.bulk_create(Author(id=n, name=f"Author {n}") for n in range(1, AUTHORS + 1))
    Article.objects.bulk_create(
        Article(id=n, author_id=(n - 1) % AUTHORS + 1, title=f"Article {n}") for n in range(1, ARTICLES + 1))


if __name__ == "__main__":
    given = arguments(__doc__)
    fill()
    from django.core.wsgi import get_wsgi_application

    serve_wsgi(given, get_wsgi_application())
