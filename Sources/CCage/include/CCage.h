/* The kernel's cage: what a process takes away from itself for good, through Landlock and seccomp; and the broker, a
 * process outside the cage that does the few things which the process still needs afterwards. */
#ifndef CCAGE_H
#define CCAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a path is granted for; of a folder with all that is below it. */
typedef enum {
  CCAGE_READ = 1,    /* read files, list folders */
  CCAGE_WRITE = 2,   /* read, write, make, replace and remove plain files */
  CCAGE_IN_PLACE = 4 /* read and write what is there, and make nothing */
} ccage_right;

typedef struct {
  const char *path; /* symlinks are followed; what is not there is skipped */
  uint32_t rights;
} ccage_path;

/* Which connections may be made. */
typedef enum {
  CCAGE_NO_NET = 0,   /* no socket at all */
  CCAGE_TAKEN,        /* none; those that others make to a socket that is bound already are taken */
  CCAGE_PASSED,       /* none; those that another process has connected and passed on are used */
  CCAGE_ADDRESSES,    /* TCP */
  CCAGE_NAMES         /* TCP, and what it takes to look names up: datagrams, and libraries that are loaded for it */
} ccage_net;

/* All that is left to a process in the cage. It computes, waits, runs threads of its own, uses what is open, and
 * besides does what these rules grant: it starts no program and no process, makes no device, socket or symlink in a
 * file system, looks into no other process and signals none, and asks nothing of the kernel that is not in a list of
 * calls. */
typedef struct {
  bool limits_reading; /* else every file can be read */
  bool limits_writing; /* else every plain file can be written, made and removed */
  const ccage_path *paths;
  size_t path_count;
  ccage_net net;
  bool limits_ports; /* else TCP connects to every port; never binds one */
  const uint16_t *ports;
  size_t port_count;
} ccage_rules;

/* What the kernel has of all this. */
typedef struct {
  int landlock;          /* the version of its interface; 0 where there is none */
  bool has_filter;       /* whether calls can be filtered */
  bool has_no_new_privs; /* whether rights can be given up for good */
  bool is_sanitized;     /* whether this is a build with a sanitizer, which no cage can be around */
} ccage_kernel;

/* Versions of Landlock's interface that brought what the cage uses. */
enum {
  CCAGE_LANDLOCK_FILES = 1,
  CCAGE_LANDLOCK_TRUNCATE = 3,
  CCAGE_LANDLOCK_TCP = 4,
  CCAGE_LANDLOCK_DEVICES = 5,
  CCAGE_LANDLOCK_SCOPES = 6,
  CCAGE_LANDLOCK_THREADS = 8
};

/* Kills this process when the thread that started it ends; false if that is gone already. Children do not inherit it. */
bool ccage_follow_parent(void);

/* Has the threads of this process, the first and those to come, share so many arenas of memory. */
void ccage_limit_arenas(int count);

/* Gives back what libraries have in memory of their files, code and what is as the file has it: it is read again where it is used
 * again, mostly from the system's own copy. Much of it only the start needs. */
void ccage_release_libraries(void);

/* Has the disk begin with what was written to a file, without a wait. */
void ccage_start_saving(int file);

/* Asks the kernel; changes nothing. */
ccage_kernel ccage_look(void);

/* Threads of this process; 0 where that can't be told. */
int ccage_threads(void);

/* Enters the cage, for good, with all that the kernel has; must be called before there is a second thread. NULL when
 * done, or else the step that failed, with its reason in errno; the process may then be in a part of the cage. */
const char *ccage_enter(const ccage_rules *rules, const ccage_kernel *kernel);

/* A file that is written beside the one whose place it is to take. */
typedef struct {
  const char *partial;
  const char *target;
} ccage_staged;

/* Bytes of a place, with the one that ends it. */
#define CCAGE_MOST_PLACE 512

/* What is called in the broker's process for a matter of `ccage_broker_send`: its number goes back to the asking process,
 * and the descriptor, if it sets one, which is closed here. While it waits for a person, `socket` can be read when the
 * process has gone or wants no answer any more. */
typedef int32_t (*ccage_answer)(void *context, int32_t matter, const char *text, const char *place, int socket,
                                int *descriptor);

/* What a broker does; the paths are absolute and it acts on no others. */
typedef struct {
  const char *const *made; /* files and folders that this process made: removed in the end if empty, unless kept */
  size_t made_count;
  const char *const *replaced; /* files whose contents may be replaced as a whole */
  size_t replaced_count;
  const ccage_staged *staged;
  size_t staged_count;
  const char *editor; /* what the shell runs as the person's editor, on this terminal; NULL for none */
  ccage_answer answer; /* what answers everything else; NULL for nothing */
  void *context;
} ccage_duties;

typedef struct ccage_broker ccage_broker;

/* Starts the broker, a child process; NULL with errno when there is none. It ends with this process, however that
 * ends. */
ccage_broker *ccage_broker_start(const ccage_duties *duties);

/* Does not remove what was made as `made[index]`, even if it is empty. */
bool ccage_broker_keep(ccage_broker *broker, size_t index);

/* A new file beside `replaced[index]`, open for reading and writing, with the same owner and mode; -1 with errno. One at a time. */
int ccage_broker_begin(ccage_broker *broker, size_t index);

/* Puts the new file in place of the old one, or removes it; false with errno. */
bool ccage_broker_end(ccage_broker *broker, bool is_whole);

/* Puts `staged[index]` in its place, and makes sure that it stays there; false with errno. */
bool ccage_broker_publish(ccage_broker *broker, size_t index);

/* Removes what was written as `staged[index]`; false with errno. */
bool ccage_broker_discard(ccage_broker *broker, size_t index);

/* Runs the editor on an absolute path and waits; its exit code, 127 when it did not start. */
int ccage_broker_edit(ccage_broker *broker, const char *path, int line);

/* Asks what `answer` of the duties answers, to be received next; false with errno, as for a text that is too long. A longer
 * place is cut. */
bool ccage_broker_send(ccage_broker *broker, int32_t matter, const char *text, const char *place);

/* Readable when there is an answer. */
int ccage_broker_socket(const ccage_broker *broker);

/* Wants no answer any more to what was sent last: there is one soon all the same. */
void ccage_broker_give_up(ccage_broker *broker);

/* Waits for the answer; a number below 0 is a reason. The descriptor is -1 where none came. */
int32_t ccage_broker_receive(ccage_broker *broker, int *descriptor);

/* Passes a descriptor through a socket pair, with a number. */
bool ccage_pass(int socket, int32_t number, int descriptor);

/* Receives what was passed: the number, below 0 for a reason; the descriptor is -1 where none came. */
int32_t ccage_take(int socket, int *descriptor);

/* Ends the broker, returns when it is gone, and releases it. */
void ccage_broker_finish(ccage_broker *broker);

/* A hole put back, for tests of the cage: does what a script must not, from inside this process. The name of the error,
 * as EPERM, or "done". It is in debug builds only. */
const char *ccage_probe(const char *deed, const char *argument);

#endif
