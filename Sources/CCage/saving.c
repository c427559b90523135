/* Files on their way to the disk. */
#define _GNU_SOURCE
#include "CCage.h"

#include <fcntl.h>

void ccage_start_saving(int file) { (void)sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE); }
