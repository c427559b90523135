/* What terminfo knows of the terminal. */
#ifndef CTERMINAL_DESCRIBE_H
#define CTERMINAL_DESCRIBE_H

/* Why the terminal's type is of no use here; NULL when it is. */
const char *describe_refusal(void);

/* Adds what gives the screen back to the farewell; after the terminal is known. */
void describe_farewell(void);

#endif
