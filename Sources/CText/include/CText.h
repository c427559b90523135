/* Widths of characters, from utf8proc's tables of Unicode: the same in every locale. */
#ifndef CTEXT_H
#define CTEXT_H

#include <stdint.h>

/* Cells that a terminal gives to a Unicode scalar: 0, 1 or 2. */
int ctext_width(uint32_t scalar);

#endif
