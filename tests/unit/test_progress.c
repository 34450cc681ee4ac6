/* SPDX-License-Identifier: Apache-2.0 */
/* The line that tells how far a pass is: what it says, on a terminal only, and away in time. */
#include <fcntl.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "report/progress.h"
#include "test.h"

static struct str text_of(size_t done, size_t count, double seconds) {
    static char text[200];
    return progress_text(done, count, seconds, text, sizeof text);
}

static void test_text(void) {
    CHECK_STR(text_of(100, 400, 2), "100 of 400 files, 50 files/s, 6 s left");
    CHECK_STR(text_of(1, 1000, 60), "1 of 1000 files, 0 files/s, 999 min left");
    CHECK_STR(text_of(0, 10, 0), "0 of 10 files, 0 files/s, 0 s left");
}

/* What comes out at the other end of a terminal for 3 files after `seconds`. */
static struct str shown(double seconds, bool quiet, bool prints) {
    static struct stream s;
    static char text[1000];
    struct progress p;
    struct termios raw;
    int here = posix_openpt(O_RDWR | O_NOCTTY);
    if (here < 0 || grantpt(here) || unlockpt(here)) return S("no terminal");
    int there = open(ptsname(here), O_RDWR | O_NOCTTY);
    tcgetattr(there, &raw);
    raw.c_oflag &= ~(tcflag_t)OPOST;
    tcsetattr(there, TCSANOW, &raw);
    stream_init(&s, there, false);
    progress_start(&p, &s, 3, quiet);
    p.start -= seconds;
    p.shown -= seconds;
    for (int i = 0; i < 3; i++) {
        progress_step(&p);
        if (prints && i == 0) stream_addz(&s, "a finding\n");
    }
    progress_end(&p);
    stream_addz(&s, "end");
    struct str all = {text, 0};
    while (!str_ends(all, S("end"))) {
        ssize_t n = read(here, text + all.n, sizeof text - all.n);
        if (n <= 0) break;
        all.n += (size_t)n;
    }
    close(there);
    close(here);
    return all;
}

static void test_terminal(void) {
    setenv("TERM", "xterm", 1);
    unsetenv("CI");
    if (str_is(shown(0, false, false), "no terminal")) {
        test_skip("progress", "a terminal", S("there is no pseudo-terminal here"));
        return;
    }
    CHECK_STR(shown(0, false, false), "end");
    CHECK_STR(shown(4, true, false), "end");
    CHECK_STR(shown(4, false, false), "1 of 3 files, 0 files/s, 8 s left\r\033[K\rend");
    CHECK_STR(shown(4, false, true), "1 of 3 files, 0 files/s, 8 s left\r\033[Ka finding\nend");
    setenv("CI", "true", 1);
    CHECK_STR(shown(4, false, false), "end");
    unsetenv("CI");
    setenv("TERM", "dumb", 1);
    CHECK_STR(shown(4, false, false), "end");
}

static void test_pipe(void) {
    static struct stream s;
    struct progress p;
    setenv("TERM", "xterm", 1);
    stream_init(&s, open("/dev/null", O_WRONLY), false);
    progress_start(&p, &s, 3, false);
    CHECK(!p.stream);
    progress_end(&p);
    close(s.fd);
}

int main(void) {
    test_text();
    test_terminal();
    test_pipe();
    return test_end("progress");
}
