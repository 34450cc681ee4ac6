/* SPDX-License-Identifier: Apache-2.0 */
// NVRTC on the CPU: a program's text is ported by cuda-morph and compiled by the machine's C++
// compiler into a shared library, which the driver API loads as a module. Asked for are
//   CUDA_MORPH       the program to port with (the one beside libcmrt or these headers, as they
//                    are installed or built; else cuda-morph)
//   CXX              the compiler             (c++)
//   CUDA_MORPH_FLAGS more flags for it
// The program itself has to export libcmrt's functions: link libcmrt.so, or with -rdynamic. What
// is missing stands in the program log, with NVRTC_ERROR_COMPILATION. Of the options -I, -D and
// -U are passed on.
#ifndef CUDA_MORPH_RTC_H
#define CUDA_MORPH_RTC_H

extern "C++" { // it may be included within extern "C"

#include <algorithm>
#include <cuda_morph/driver.h>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#define __NVRTC_H__

typedef enum cmRtcResult {
    CM_RTC_SUCCESS = 0,
    CM_RTC_ERROR_OUT_OF_MEMORY = 1,
    CM_RTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    CM_RTC_ERROR_INVALID_INPUT = 3,
    CM_RTC_ERROR_INVALID_PROGRAM = 4,
    CM_RTC_ERROR_INVALID_OPTION = 5,
    CM_RTC_ERROR_COMPILATION = 6,
    CM_RTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    CM_RTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    CM_RTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    CM_RTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
    CM_RTC_ERROR_INTERNAL_ERROR = 11
} cmRtcResult;

struct cmRtcProgram_st {
    std::string name, source, log, image;
    std::map<std::string, std::string> headers, lowered; // name expressions: what they became
    bool compiled = false;
};
using cmRtcProgram = cmRtcProgram_st *;

namespace cm {
namespace rtc {

inline std::string setting(const char *variable, const char *otherwise) {
    const char *const value = getenv(variable);
    return value && *value ? value : otherwise;
}
inline std::string quoted(const std::string &text) { // for the shell
    std::string q = "'";
    for (const char c : text) c == '\'' ? q += "'\\''" : q += c;
    return q + "'";
}
// Where these headers and cuda-morph are: seen from libcmrt, which may have moved since the
// program was compiled, and from this very file.
inline const std::vector<std::string> &places() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> found;
        const auto folder = [](const std::string &path, int up) {
            std::string at = path;
            for (; up; up--) at.erase(std::min(at.find_last_of('/'), at.size()));
            return at;
        };
        Dl_info library;
        void *const known = dlsym(RTLD_DEFAULT, "cmKernelBarrier");
        if (known && dladdr(known, &library) && library.dli_fname)
            found.push_back(folder(library.dli_fname, 2)); // PREFIX of PREFIX/lib/libcmrt.so
        found.push_back(folder(__FILE__, 3));              // of PREFIX/include/cuda_morph/rtc.h
        return found;
    }();
    return all;
}
inline std::string tool_beside() {
    for (const std::string &place : places())
        for (const char *name : {"/bin/cuda-morph", "/build/cuda-morph", "/../build/cuda-morph"})
            if (access((place + name).c_str(), X_OK) == 0) return place + name;
    return "cuda-morph";
}
inline std::string include_flag() {
    for (const std::string &place : places())
        for (const char *name : {"/include", "/runtime/include"})
            if (access((place + name + "/cuda_morph/module.h").c_str(), R_OK) == 0)
                return "-I" + quoted(place + name) + " ";
    return "";
}
inline std::string contents(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
inline bool put(const std::string &path, const std::string &text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    return out.good();
}
inline bool shell(const std::string &command) {
    const int status = system(command.c_str());
    return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Kernels are known by their names (where the port has not seen to it), and by the name
// expressions.
inline std::string exports(cmRtcProgram_st *p, const std::string &ported) {
    static const std::regex kernel(
        "__global__[^;{(]*?(?:__launch_bounds__\\s*\\([^)]*\\)[^;{(]*?)?"
        "\\b([A-Za-z_]\\w*)\\s*\\(");
    static const std::regex comment("//[^\\n]*|/\\*[^]*?\\*/");
    const std::string text = std::regex_replace(p->source, comment, " ");
    std::string result = "\n";
    std::map<std::string, bool> seen;
    int number = 0;
    for (auto &pair : p->lowered) {
        pair.second = "expression_" + std::to_string(number++);
        result += "CM_MODULE_KERNEL(" + pair.second + ", " + pair.first + ")\n";
    }
    for (std::sregex_iterator i(text.begin(), text.end(), kernel), end; i != end; ++i) {
        const std::string name = (*i)[1];
        const std::string before = text.substr(0, static_cast<size_t>(i->position()));
        const size_t last = before.find_last_not_of(" \t\r\n");
        const bool is_template = last != std::string::npos && before[last] == '>';
        const bool known = ported.find("CM_MODULE_KERNEL(" + name + ",") != std::string::npos;
        if (!is_template && !seen[name] && !known)
            result += "CM_MODULE_KERNEL(" + name + ", " + name + ")\n";
        seen[name] = true;
    }
    return result;
}

inline std::string flags(int count, const char *const *options, const std::string &folder) {
    std::string f =
        "-std=c++17 -O2 -w -shared -fPIC -Wl,-Bsymbolic -DCM_MODULE -I" + quoted(folder) + " ";
    for (int i = 0; i < count; i++) {
        std::string o = options[i];
        for (const auto &pair :
             {std::make_pair("--include-path=", "-I"), std::make_pair("--define-macro=", "-D"),
              std::make_pair("--undefine-macro=", "-U")})
            if (o.rfind(pair.first, 0) == 0) o = pair.second + o.substr(strlen(pair.first));
        if (o.size() > 1 && o[0] == '-' && strchr("IDU", o[1])) f += quoted(o) + " ";
        if (o.size() == 2 && o[0] == '-' && strchr("IDU", o[1]) && i + 1 < count)
            f += quoted(options[++i]) + " ";
    }
    return f + include_flag() + setting("CUDA_MORPH_FLAGS", "");
}

inline bool build(cmRtcProgram_st *p, int count, const char *const *options,
                  const std::string &folder) {
    if (!dlsym(RTLD_DEFAULT, "cmKernelBarrier")) {
        p->log = "cuda-morph: this program does not export libcmrt's functions to modules: link "
                 "libcmrt.so, or link with -rdynamic\n";
        return false;
    }
    for (const auto &header : p->headers)
        if (header.first.find("..") != std::string::npos || header.first[0] == '/' ||
            !shell("mkdir -p \"$(dirname " + quoted(folder + "/in/" + header.first) + ")\"") ||
            !put(folder + "/in/" + header.first, header.second))
            return false;
    const std::string tool = setting("CUDA_MORPH", tool_beside().c_str());
    const std::string log = quoted(folder + "/log");
    const std::string in = quoted(folder + "/in"), out = quoted(folder + "/out");
    if (!put(folder + "/in/program.cu", "#include <cuda_morph/module.h>\n" + p->source))
        return false;
    bool good =
        shell(quoted(tool) + " port " + in + " --target cpu -q -o " + out + " >" + log + " 2>&1");
    const std::string ported = contents(folder + "/out/program.cu");
    if (good)
        good = put(folder + "/out/program.cc", ported + exports(p, ported)) &&
               shell(setting("CXX", "c++") + " " + flags(count, options, folder + "/out") + " " +
                     quoted(folder + "/out/program.cc") + " -o " + quoted(folder + "/module.so") +
                     " >" + log + " 2>&1");
    p->log = contents(folder + "/log");
    p->image = good ? contents(folder + "/module.so") : "";
    return good;
}

} // namespace rtc
} // namespace cm

inline const char *cmRtcGetErrorString(cmRtcResult result) {
    static const char *const names[] = {"NVRTC_SUCCESS",
                                        "NVRTC_ERROR_OUT_OF_MEMORY",
                                        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                        "NVRTC_ERROR_INVALID_INPUT",
                                        "NVRTC_ERROR_INVALID_PROGRAM",
                                        "NVRTC_ERROR_INVALID_OPTION",
                                        "NVRTC_ERROR_COMPILATION",
                                        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                        "NVRTC_ERROR_INTERNAL_ERROR"};
    return result >= 0 && result <= CM_RTC_ERROR_INTERNAL_ERROR ? names[result] : "NVRTC_ERROR";
}
inline cmRtcResult cmRtcVersion(int *major, int *minor) {
    *major = CMRT_VERSION / 1000, *minor = CMRT_VERSION % 1000 / 10;
    return CM_RTC_SUCCESS;
}
inline cmRtcResult cmRtcCreateProgram(cmRtcProgram *p, const char *source, const char *name,
                                      int count, const char *const *headers,
                                      const char *const *names) {
    if (!p || !source || count < 0) return CM_RTC_ERROR_INVALID_INPUT;
    *p = new cmRtcProgram_st;
    (*p)->source = source, (*p)->name = name ? name : "";
    for (int i = 0; i < count; i++) (*p)->headers[names[i]] = headers[i];
    return CM_RTC_SUCCESS;
}
inline cmRtcResult cmRtcDestroyProgram(cmRtcProgram *p) {
    if (!p || !*p) return CM_RTC_ERROR_INVALID_PROGRAM;
    delete *p;
    *p = nullptr;
    return CM_RTC_SUCCESS;
}
inline cmRtcResult cmRtcAddNameExpression(cmRtcProgram p, const char *expression) {
    if (!p) return CM_RTC_ERROR_INVALID_PROGRAM;
    if (p->compiled) return CM_RTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    std::string text = expression;
    if (!text.empty() && text[0] == '&') text.erase(0, 1);
    p->lowered[text];
    return CM_RTC_SUCCESS;
}
inline cmRtcResult cmRtcCompileProgram(cmRtcProgram p, int count, const char *const *options) {
    if (!p) return CM_RTC_ERROR_INVALID_PROGRAM;
    char folder[] = "/tmp/cuda-morph-rtc-XXXXXX";
    if (!mkdtemp(folder)) return CM_RTC_ERROR_INTERNAL_ERROR;
    const std::string at = folder;
    p->compiled = cm::rtc::shell("mkdir " + at + "/in") && cm::rtc::build(p, count, options, at);
    cm::rtc::shell("rm -rf " + at);
    return p->compiled ? CM_RTC_SUCCESS : CM_RTC_ERROR_COMPILATION;
}
inline cmRtcResult cmRtcGetProgramLogSize(cmRtcProgram p, size_t *size) {
    if (!p) return CM_RTC_ERROR_INVALID_PROGRAM;
    *size = p->log.size() + 1;
    return CM_RTC_SUCCESS;
}
inline cmRtcResult cmRtcGetProgramLog(cmRtcProgram p, char *log) {
    if (!p) return CM_RTC_ERROR_INVALID_PROGRAM;
    memcpy(log, p->log.c_str(), p->log.size() + 1);
    return CM_RTC_SUCCESS;
}
// The module, for cuModuleLoadData(); it stands for PTX and for a cubin.
inline cmRtcResult cmRtcGetPTXSize(cmRtcProgram p, size_t *size) {
    if (!p || !p->compiled) return CM_RTC_ERROR_INVALID_PROGRAM;
    *size = p->image.size();
    return CM_RTC_SUCCESS;
}
inline cmRtcResult cmRtcGetPTX(cmRtcProgram p, char *ptx) {
    if (!p || !p->compiled) return CM_RTC_ERROR_INVALID_PROGRAM;
    memcpy(ptx, p->image.data(), p->image.size());
    return CM_RTC_SUCCESS;
}
inline cmRtcResult cmRtcGetCUBINSize(cmRtcProgram p, size_t *size) {
    return cmRtcGetPTXSize(p, size);
}
inline cmRtcResult cmRtcGetCUBIN(cmRtcProgram p, char *cubin) { return cmRtcGetPTX(p, cubin); }
inline cmRtcResult cmRtcGetLoweredName(cmRtcProgram p, const char *expression, const char **name) {
    if (!p || !p->compiled) return CM_RTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const auto at = p->lowered.find(*expression == '&' ? expression + 1 : expression);
    if (at == p->lowered.end()) return CM_RTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *name = at->second.c_str();
    return CM_RTC_SUCCESS;
}

} // extern "C++"

#endif
