/* SPDX-License-Identifier: Apache-2.0 */
/* cc_process.c - the programs that cc starts: the host's compiler, ar, and what -run runs. */
#include "commands/cc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct str cc_quoted(struct arena *a, struct str word) {
    struct buf b;
    bool plain = word.n > 0;
    buf_init(&b, a);
    for (size_t i = 0; i < word.n; i++)
        plain &= !strchr(" \t\n\"'\\$`&|;<>()*?[]#~!{}", word.p[i]);
    if (plain) return word;
    buf_addc(&b, '\'');
    for (size_t i = 0; i < word.n; i++) {
        if (word.p[i] == '\'')
            buf_addz(&b, "'\\''");
        else
            buf_addc(&b, word.p[i]);
    }
    buf_addc(&b, '\'');
    return buf_str(&b);
}

void cc_show(struct cc *cc, struct str text) {
    stream_addz(cc->cli->err, "#$ ");
    stream_add(cc->cli->err, text);
    stream_addz(cc->cli->err, "\n");
}

static void show_words(struct cc *cc, const nv_words *words) {
    struct buf b;
    buf_init(&b, cc->a);
    for (size_t i = 0; i < words->n; i++) {
        if (i) buf_addc(&b, ' ');
        buf_add(&b, cc_quoted(cc->a, words->v[i]));
    }
    cc_show(cc, buf_str(&b));
}

/* In the child: becomes the program. */
static void become(char **argv, const char *errors) {
    if (errors) {
        int fd = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (fd >= 0) dup2(fd, STDERR_FILENO);
    }
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    execvp(argv[0], argv);
    static const char text[] = "cuda-morph: the program could not be started: ";
    ssize_t n = write(STDERR_FILENO, text, sizeof text - 1);
    n += write(STDERR_FILENO, argv[0], strlen(argv[0]));
    n += write(STDERR_FILENO, "\n", 1);
    _exit(n < 0 ? 126 : 127);
}

int cc_run(struct cc *cc, const nv_words *words, const char *errors) {
    if (cc->line.dry_run || cc->line.verbose) show_words(cc, words);
    if (cc->line.dry_run) return 0;
    char **argv = arena_zalloc(cc->a, (words->n + 1) * sizeof *argv);
    for (size_t i = 0; i < words->n; i++) argv[i] = arena_strdup(cc->a, words->v[i]);
    stream_flush(cc->cli->out);
    stream_flush(cc->cli->err);
    pid_t child = fork();
    if (child == 0) become(argv, errors);
    if (child < 0) return cli_error(cc->cli, "%s: %s", argv[0], strerror(errno));
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return cli_error(cc->cli, "%s: %s", argv[0], strerror(errno));
    if (WIFSIGNALED(status)) {
        cli_error(cc->cli, "%s was ended by signal %d", argv[0], WTERMSIG(status));
        return 128 + WTERMSIG(status);
    }
    return WEXITSTATUS(status);
}

/* ---- files of this run ---- */

const char *cc_scratch(struct cc *cc) {
    const char *base = getenv("TMPDIR");
    if (cc->scratch) return cc->scratch;
    char *path =
        arena_strdup(cc->a, arena_printf(cc->a, "%s/cmcc-XXXXXX", base && *base ? base : "/tmp"));
    if (!mkdtemp(path)) {
        cli_error(cc->cli, "%s: %s", path, strerror(errno));
        return NULL;
    }
    return cc->scratch = arena_printf(cc->a, "%s/", path).p;
}

static void remove_folder(struct cc *cc, const char *path) {
    DIR *folder = opendir(path);
    struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        const char *inside = arena_printf(cc->a, "%s%s", path, entry->d_name).p;
        if (unlink(inside) != 0) remove_folder(cc, arena_printf(cc->a, "%s/", inside).p);
    }
    if (folder) closedir(folder);
    rmdir(path);
}

void cc_clean_up(struct cc *cc) {
    if (cc->scratch) remove_folder(cc, cc->scratch);
    cc->scratch = NULL;
}
