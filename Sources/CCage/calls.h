/* The calls of the kernel that a process in the cage makes: found by watching all commands, with what glibc takes
 * instead on other systems. Those of old have not come to newer machines. */
#ifndef CCAGE_CALLS_H
#define CCAGE_CALLS_H

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>

/* Allowed whatever their arguments are. Those that name a path are Landlock's to refuse. */
static const int plain_calls[] = {
    /* descriptors */
    __NR_read, __NR_write, __NR_readv, __NR_writev, __NR_pread64, __NR_pwrite64, __NR_preadv, __NR_pwritev,
    __NR_preadv2, __NR_pwritev2, __NR_lseek, __NR_close, __NR_close_range, __NR_dup, __NR_dup3, __NR_flock,
    __NR_fsync, __NR_fdatasync,
    __NR_ftruncate, __NR_fallocate, __NR_fadvise64, __NR_copy_file_range, __NR_sendfile, __NR_pipe2, __NR_recvmsg,
    /* files */
    __NR_openat, __NR_openat2, __NR_newfstatat, __NR_fstat, __NR_statx, __NR_faccessat, __NR_faccessat2,
    __NR_readlinkat, __NR_getcwd, __NR_getdents64, __NR_statfs, __NR_fstatfs, __NR_unlinkat, __NR_renameat2,
    __NR_mkdirat,
    /* waiting */
    __NR_ppoll, __NR_pselect6, __NR_epoll_create1, __NR_epoll_ctl, __NR_epoll_pwait, __NR_epoll_pwait2, __NR_eventfd2,
    __NR_timerfd_create, __NR_timerfd_settime, __NR_timerfd_gettime, __NR_signalfd4, __NR_wait4, __NR_waitid,
    /* memory */
    __NR_munmap, __NR_mremap, __NR_brk, __NR_madvise, __NR_mincore, __NR_membarrier,
    /* threads */
    __NR_futex, __NR_futex_waitv, __NR_set_robust_list, __NR_rseq, __NR_set_tid_address, __NR_gettid, __NR_getpid,
    __NR_getppid, __NR_exit, __NR_exit_group, __NR_sched_yield, __NR_sched_getaffinity, __NR_sched_getparam,
    __NR_sched_getscheduler, __NR_sched_get_priority_max, __NR_sched_get_priority_min, __NR_getcpu, __NR_getpriority,
    __NR_restart_syscall,
    /* signals */
    __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_sigaltstack, __NR_rt_sigpending,
    __NR_rt_sigtimedwait, __NR_rt_sigsuspend,
    /* time */
    __NR_clock_gettime, __NR_clock_getres, __NR_clock_nanosleep, __NR_nanosleep, __NR_gettimeofday, __NR_times,
    __NR_getitimer, __NR_setitimer, __NR_timer_create, __NR_timer_settime, __NR_timer_gettime, __NR_timer_delete,
    __NR_timer_getoverrun,
    /* what there is */
    __NR_uname, __NR_sysinfo, __NR_getrusage, __NR_getuid, __NR_geteuid, __NR_getgid, __NR_getegid, __NR_getgroups,
    __NR_getresuid, __NR_getresgid, __NR_getpgid, __NR_getsid, __NR_getrandom,
#ifdef __NR_open
    __NR_open, __NR_creat, __NR_stat, __NR_lstat, __NR_access, __NR_readlink, __NR_getdents, __NR_unlink,
    __NR_rename, __NR_mkdir,
    __NR_dup2, __NR_pipe, __NR_poll, __NR_select, __NR_epoll_create, __NR_epoll_wait, __NR_eventfd,
    __NR_getrlimit, __NR_getpgrp, __NR_pause, __NR_alarm, __NR_time,
#endif
#ifdef __NR_renameat
    __NR_renameat,
#endif
#ifdef __NR_sync_file_range
    __NR_sync_file_range,
#endif
};

/* Where sockets may be made; which ones, the filter checks. */
static const int connecting_calls[] = {__NR_connect, __NR_bind};

/* Where there may be sockets at all. */
static const int socket_calls[] = {
    __NR_shutdown, __NR_recvfrom, __NR_recvmmsg, __NR_setsockopt, __NR_getsockopt,
    __NR_getsockname, __NR_getpeername,
};

/* Where there is a bound socket that others connect to. */
static const int taking_calls[] = {__NR_listen, __NR_accept, __NR_accept4};

/* Where something may be written: a new file gets the mode and the owner of the one that it replaces. */
static const int writing_calls[] = {__NR_fchmod, __NR_fchown};

/* What is asked of a terminal and of pipes. Not among them is TIOCSTI, which types for the person. */
static const uint32_t terminal_requests[] = {
    TCGETS, TCSETS, TCSETSW, TCSETSF, TIOCGWINSZ, TIOCGPGRP, TCFLSH, TCXONC, TCSBRK, TIOCOUTQ, FIONREAD, FIONBIO,
    FIOCLEX, FIONCLEX,
};

/* What is asked of descriptors. Not among them is F_SETOWN, which has others get signals. */
static const uint32_t descriptor_requests[] = {
    F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK,
    F_OFD_SETLKW,
};

#endif
