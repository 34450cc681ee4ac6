/* SPDX-License-Identifier: Apache-2.0 */
/* start.c - what happens on Windows before the program begins: arguments become UTF-8 with '/' in
 * their paths, streams binary, the console one that knows UTF-8 and colours. */
#include "base/windows/names.h"

#include <shellapi.h>

/* No patterns in arguments are expanded by the C library: it would do it in the code page. */
int _CRT_glob = 0;

/* The values of these are no paths: TOML, a text to search for, a command line. */
static bool holds_text(const char *option) {
    static const char *const options[] = {"--config", "--search", "--cmd", NULL};
    for (size_t i = 0; options[i]; i++)
        if (strncmp(option, options[i], strlen(options[i])) == 0) return true;
    return false;
}

static char *utf8_of(const wchar_t *wide) {
    int n = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *p = malloc(n > 0 ? (size_t)n : 1);
    if (!p) abort();
    *p = 0;
    WideCharToMultiByte(CP_UTF8, 0, wide, -1, p, n, NULL, NULL);
    return p;
}

/* A path as the program has it, in memory of its own. */
static char *own_path(const char *path) {
    size_t root = win_root(path);
    const char *prefix = !root ? "" : path[1] == ':' ? "/" : "/UNC/";
    const char *rest = *prefix && path[1] != ':' ? path + root : path;
    char *p = malloc(strlen(prefix) + strlen(rest) + 1);
    if (!p) abort();
    strcpy(p, prefix);
    strcat(p, rest);
    for (char *c = p; *c; c++)
        if (*c == '\\') *c = '/';
    return p;
}

/* An argument, which is a path, an option with one, or neither. */
static char *own_argument(char *word) {
    char *value = word[0] == '-' && word[1] == '-' ? strchr(word, '=') : NULL;
    if (!value) return own_path(word);
    char *path = own_path(value + 1);
    size_t n = (size_t)(value + 1 - word);
    char *p = malloc(n + strlen(path) + 1);
    if (!p) abort();
    memcpy(p, word, n);
    strcpy(p + n, path);
    return p;
}

static char **arguments(int *count) {
    int n = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &n);
    char **v = calloc((size_t)n + 1, sizeof *v);
    if (!wide || !v) abort();
    for (int i = 0; i < n; i++) {
        v[i] = utf8_of(wide[i]);
        if (!holds_text(v[i]) && (i == 0 || !holds_text(v[i - 1]) || strchr(v[i - 1], '=')))
            v[i] = own_argument(v[i]);
    }
    LocalFree(wide);
    *count = n;
    return v;
}

static void set_folder(const char *name, const wchar_t *from) {
    const wchar_t *value = _wgetenv(from);
    if (!value || getenv(name)) return;
    char folder[WIN_PATH];
    if (win_utf8(value, folder, sizeof folder)) win_setenv(name, folder, 0);
}

int win_setenv(const char *name, const char *value, int overwrite) {
    if (!overwrite && getenv(name)) return 0;
    return _putenv_s(name, value);
}

int win_unsetenv(const char *name) { return _putenv_s(name, ""); }

/* Colours where the console can show them; a pipe is none. */
static void prepare_console(void) {
    static const DWORD streams[] = {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    bool shows = true, is_one = false;
    for (size_t i = 0; i < 2; i++) {
        DWORD mode;
        HANDLE h = GetStdHandle(streams[i]);
        if (!GetConsoleMode(h, &mode)) continue;
        is_one = true;
        shows &= SetConsoleMode(h, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
    }
    if (!is_one) return;
    SetConsoleOutputCP(CP_UTF8);
    win_setenv("TERM", shows ? "xterm-256color" : "dumb", 0);
}

int win_main(int argc, char **argv);
#undef main

int main(void) {
    int n;
    char **v = arguments(&n);
    for (int fd = 0; fd <= 2; fd++) _setmode(fd, _O_BINARY);
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
    prepare_console();
    set_folder("HOME", L"USERPROFILE");
    set_folder("XDG_CACHE_HOME", L"LOCALAPPDATA");
    return win_main(n, v);
}
