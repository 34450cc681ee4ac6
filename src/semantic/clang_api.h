/* SPDX-License-Identifier: Apache-2.0 */
/* clang_api.h - the part of libclang's C interface that this program uses, in our own words.
 *
 * libclang is opened at run time and never linked, so its header must not be needed to build.
 * The declarations state facts of the interface's stable ABI (clang-c/Index.h of LLVM 14, checked
 * against 19; the library keeps its one soname because these never change): the layout of the
 * values that are passed by value, and the numbers of the enumerators named here.
 *
 * clang_open fills a table of function pointers; it is read-only and shared by all threads. */
#ifndef CM_CLANG_API_H
#define CM_CLANG_API_H

#include "base/base.h"

typedef void *CXIndex, *CXTranslationUnit, *CXFile, *CXDiagnostic, *CXDiagnosticSet;

typedef struct {
    const void *data;
    unsigned private_flags;
} CXString;

struct CXUnsavedFile {
    const char *Filename, *Contents;
    unsigned long Length;
};

typedef struct {
    const void *ptr_data[2];
    unsigned int_data;
} CXSourceLocation;

typedef struct {
    const void *ptr_data[2];
    unsigned begin_int_data, end_int_data;
} CXSourceRange;

typedef struct {
    int kind; /* enum CXCursorKind */
    int xdata;
    const void *data[3];
} CXCursor;

typedef struct {
    int kind; /* enum CXTypeKind */
    void *data[2];
} CXType;

typedef struct {
    unsigned int_data[4];
    void *ptr_data;
} CXToken;

typedef void (*CXInclusionVisitor)(CXFile file, CXSourceLocation *stack, unsigned n, void *ctx);

enum { CXError_Success = 0, CXError_Crashed = 2 };
enum { CXDiagnostic_Error = 3, CXDiagnostic_Fatal = 4 };
enum { CXToken_Identifier = 2 };
enum {
    CXTranslationUnit_DetailedPreprocessingRecord = 0x01,
    CXTranslationUnit_Incomplete = 0x02,
    CXTranslationUnit_ForSerialization = 0x10,
    CXTranslationUnit_KeepGoing = 0x200
};
enum {
    CXCursor_FieldDecl = 6,
    CXCursor_VarDecl = 9,
    CXCursor_ParmDecl = 10,
    CXCursor_OverloadedDeclRef = 49,
    CXCursor_MacroDefinition = 501,
    CXCursor_MacroExpansion = 502,
    CXCursor_InclusionDirective = 503
};

/* X(name, result, parameters) */
#define CLANG_FUNCTIONS(X)                                                                        \
    X(getClangVersion, CXString, (void))                                                          \
    X(getCString, const char *, (CXString))                                                       \
    X(disposeString, void, (CXString))                                                            \
    X(createIndex, CXIndex, (int exclude_pch, int display_diagnostics))                           \
    X(disposeIndex, void, (CXIndex))                                                              \
    X(parseTranslationUnit2, int,                                                                 \
      (CXIndex, const char *path, const char *const *args, int n_args, struct CXUnsavedFile *,    \
       unsigned n_files, unsigned options, CXTranslationUnit *))                                  \
    X(saveTranslationUnit, int, (CXTranslationUnit, const char *path, unsigned options))          \
    X(disposeTranslationUnit, void, (CXTranslationUnit))                                          \
    X(getInclusions, void, (CXTranslationUnit, CXInclusionVisitor, void *))                       \
    X(getFile, CXFile, (CXTranslationUnit, const char *))                                         \
    X(getFileName, CXString, (CXFile))                                                            \
    X(getFileContents, const char *, (CXTranslationUnit, CXFile, size_t * size))                  \
    X(getNumDiagnostics, unsigned, (CXTranslationUnit))                                           \
    X(getDiagnostic, CXDiagnostic, (CXTranslationUnit, unsigned))                                 \
    X(disposeDiagnostic, void, (CXDiagnostic))                                                    \
    X(getDiagnosticSeverity, int, (CXDiagnostic))                                                 \
    X(getDiagnosticSpelling, CXString, (CXDiagnostic))                                            \
    X(getDiagnosticLocation, CXSourceLocation, (CXDiagnostic))                                    \
    X(getChildDiagnostics, CXDiagnosticSet, (CXDiagnostic))                                       \
    X(getNumDiagnosticsInSet, unsigned, (CXDiagnosticSet))                                        \
    X(getDiagnosticInSet, CXDiagnostic, (CXDiagnosticSet, unsigned))                              \
    X(getFileLocation, void,                                                                      \
      (CXSourceLocation, CXFile *, unsigned *line, unsigned *column, unsigned *offset))           \
    X(Location_isInSystemHeader, int, (CXSourceLocation))                                         \
    X(getLocationForOffset, CXSourceLocation, (CXTranslationUnit, CXFile, unsigned))              \
    X(getRange, CXSourceRange, (CXSourceLocation, CXSourceLocation))                              \
    X(tokenize, void, (CXTranslationUnit, CXSourceRange, CXToken **, unsigned *n))                \
    X(annotateTokens, void, (CXTranslationUnit, CXToken *, unsigned n, CXCursor *))               \
    X(disposeTokens, void, (CXTranslationUnit, CXToken *, unsigned n))                            \
    X(getTokenKind, int, (CXToken))                                                               \
    X(getTokenLocation, CXSourceLocation, (CXTranslationUnit, CXToken))                           \
    X(getTokenSpelling, CXString, (CXTranslationUnit, CXToken))                                   \
    X(getNullCursor, CXCursor, (void))                                                            \
    X(Cursor_isNull, int, (CXCursor))                                                             \
    X(isDeclaration, unsigned, (int kind))                                                        \
    X(getCursorReferenced, CXCursor, (CXCursor))                                                  \
    X(getCursorSpelling, CXString, (CXCursor))                                                    \
    X(getCursorLocation, CXSourceLocation, (CXCursor))                                            \
    X(getCursorUSR, CXString, (CXCursor))                                                         \
    X(getCursorType, CXType, (CXCursor))                                                          \
    X(getTypeSpelling, CXString, (CXType))                                                        \
    X(getNumOverloadedDecls, unsigned, (CXCursor))                                                \
    X(getOverloadedDecl, CXCursor, (CXCursor, unsigned))

struct clang {
#define CLANG_MEMBER(name, result, parameters) result(*name) parameters;
    CLANG_FUNCTIONS(CLANG_MEMBER)
#undef CLANG_MEMBER
    void *handle;
    struct str path;     /* the library, as it was opened */
    struct str version;  /* "Debian clang version 14.0.6" */
    struct str resource; /* the directory of clang's own headers; empty: the library knows it */
};

/* Opens the libclang that $CUDA_MORPH_LIBCLANG names, or the newest that the system has. It stays
 * open until the process ends, as it keeps threads and handlers of its own. NULL with one sentence
 * in *error when there is none, or none that works. Memory in `a`. */
const struct clang *clang_open(struct arena *a, struct str *error);

/* A copy of the text in `a`; gives the CXString back. */
struct str clang_str(const struct clang *c, struct arena *a, CXString s);

#endif
