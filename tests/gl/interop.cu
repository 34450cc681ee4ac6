// OpenGL interoperation on a context of OSMesa's: kernels read and write a buffer and a texture
// that OpenGL has made, with the flags that save a copy, and by CUDA's first interface.
#define GL_GLEXT_PROTOTYPES
#include <GL/osmesa.h>
#include <GL/glext.h>
#include <cuda_gl_interop.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

static int failures = 0;
static void check(bool good, const char *what) {
    if (good) return;
    printf("FAIL: %s\n", what);
    failures++;
}

__global__ void twice(float *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= 2;
}
__global__ void number(float *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = i;
}
__global__ void turn(cudaSurfaceObject_t s, int width, int height) {
    int x = threadIdx.x, y = blockIdx.x;
    uchar4 c;
    surf2Dread(&c, s, x * sizeof c, y);
    surf2Dwrite(make_uchar4(c.z, c.y, c.x, 255 - c.w), s, x * sizeof c, y);
}

static bool holds(GLuint buffer, const std::vector<float> &wanted) {
    std::vector<float> is(wanted.size());
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, is.size() * sizeof(float), is.data());
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    return is == wanted;
}

static void buffers() {
    const int n = 1000;
    std::vector<float> start(n), doubled(n), numbers(n);
    for (int i = 0; i < n; i++) start[i] = i % 7, doubled[i] = 2 * start[i], numbers[i] = i;
    GLuint buffer = 0, other = 0;
    glGenBuffers(1, &buffer);
    glGenBuffers(1, &other);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, n * sizeof(float), start.data(), GL_DYNAMIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, other);
    struct cudaGraphicsResource *resource = nullptr;
    check(cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsMapFlagsNone) == cudaSuccess,
          "a buffer is registered");
    float *p = nullptr;
    size_t size = 0;
    check(cudaGraphicsResourceGetMappedPointer((void **)&p, &size, resource) != cudaSuccess,
          "it has no pointer before it is mapped");
    check(cudaGraphicsMapResources(1, &resource, 0) == cudaSuccess, "it is mapped");
    check(cudaGraphicsMapResources(1, &resource, 0) != cudaSuccess, "but once");
    check(cudaGraphicsResourceGetMappedPointer((void **)&p, &size, resource) == cudaSuccess &&
              size == n * sizeof(float),
          "its pointer");
    twice<<<4, 256>>>(p, n);
    check(cudaGraphicsUnmapResources(1, &resource, 0) == cudaSuccess, "it is unmapped");
    check(cudaGraphicsUnmapResources(1, &resource, 0) != cudaSuccess, "but once, too");
    GLint bound = 0;
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &bound);
    check(bound == (GLint)other, "OpenGL's binding is as it was");
    check(holds(buffer, doubled), "OpenGL sees what the kernel wrote");

    // To be read alone: what a kernel writes is dropped. To be overwritten: nothing comes in.
    cudaGraphicsResourceSetMapFlags(resource, cudaGraphicsMapFlagsReadOnly);
    cudaGraphicsMapResources(1, &resource, 0);
    cudaGraphicsResourceGetMappedPointer((void **)&p, &size, resource);
    number<<<4, 256>>>(p, n);
    cudaGraphicsUnmapResources(1, &resource, 0);
    check(holds(buffer, doubled), "what is mapped to be read stays");
    cudaGraphicsResourceSetMapFlags(resource, cudaGraphicsMapFlagsWriteDiscard);
    cudaGraphicsMapResources(1, &resource, 0);
    cudaGraphicsResourceGetMappedPointer((void **)&p, &size, resource);
    number<<<4, 256>>>(p, n);
    cudaGraphicsUnmapResources(1, &resource, 0);
    check(holds(buffer, numbers), "what is mapped to be written is written");

    // It grows.
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 2 * n * sizeof(float), nullptr, GL_DYNAMIC_DRAW);
    cudaGraphicsMapResources(1, &resource, 0);
    cudaGraphicsResourceGetMappedPointer((void **)&p, &size, resource);
    check(size == 2 * n * sizeof(float), "a larger buffer");
    cudaGraphicsUnmapResources(1, &resource, 0);
    check(cudaGraphicsUnregisterResource(resource) == cudaSuccess, "it is let go");

    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, n * sizeof(float), start.data(), GL_DYNAMIC_DRAW);
    check(cudaGLRegisterBufferObject(buffer) == cudaSuccess, "by the first interface");
    check(cudaGLMapBufferObject((void **)&p, buffer) == cudaSuccess, "mapped by it");
    twice<<<4, 256>>>(p, n);
    check(cudaGLUnmapBufferObject(buffer) == cudaSuccess, "unmapped by it");
    check(cudaGLUnregisterBufferObject(buffer) == cudaSuccess, "let go by it");
    check(holds(buffer, doubled), "the first interface's result");
    glDeleteBuffers(1, &buffer);
    glDeleteBuffers(1, &other);
}

static void textures() {
    const int width = 13, height = 5; // rows that OpenGL would align
    std::vector<unsigned char> pixels(4 * width * height), is(pixels.size());
    for (size_t i = 0; i < pixels.size(); i++) pixels[i] = (unsigned char)(i * 7);
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 pixels.data());
    glBindTexture(GL_TEXTURE_2D, 0);
    cudaGraphicsResource_t resource = nullptr;
    check(cudaGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D,
                                      cudaGraphicsRegisterFlagsSurfaceLoadStore) == cudaSuccess,
          "a texture is registered");
    check(cudaGraphicsMapResources(1, &resource) == cudaSuccess, "it is mapped");
    cudaArray_t array = nullptr;
    check(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0) == cudaSuccess,
          "its array");
    cudaResourceDesc of = {};
    of.resType = cudaResourceTypeArray;
    of.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    check(cudaCreateSurfaceObject(&surface, &of) == cudaSuccess, "its surface");
    turn<<<height, width>>>(surface, width, height);
    cudaDestroySurfaceObject(surface);
    check(cudaGraphicsUnmapResources(1, &resource) == cudaSuccess, "it is unmapped");
    check(cudaGraphicsUnregisterResource(resource) == cudaSuccess, "it is let go");
    glBindTexture(GL_TEXTURE_2D, texture);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, is.data());
    bool good = true;
    for (size_t i = 0; i < pixels.size(); i += 4)
        good = good && is[i] == pixels[i + 2] && is[i + 1] == pixels[i + 1] &&
               is[i + 2] == pixels[i] && is[i + 3] == 255 - pixels[i + 3];
    check(good, "the texture has what the kernel wrote");
    check(cudaGraphicsGLRegisterImage(&resource, texture, GL_RENDERBUFFER, 0) != cudaSuccess,
          "renderbuffers are refused");
    glDeleteTextures(1, &texture);
}

int main() {
    struct cudaGraphicsResource *resource = nullptr;
    check(cudaGraphicsGLRegisterBuffer(&resource, 1, 0) != cudaSuccess,
          "without a context nothing is registered");
    std::vector<unsigned char> image(16 * 16 * 4);
    OSMesaContext context = OSMesaCreateContext(OSMESA_RGBA, NULL);
    if (!context || !OSMesaMakeCurrent(context, image.data(), GL_UNSIGNED_BYTE, 16, 16)) {
        printf("no context\n");
        return 2;
    }
    cudaGLSetGLDevice(0);
    buffers();
    textures();
    check(glGetError() == GL_NO_ERROR, "OpenGL has no error");
    OSMesaDestroyContext(context);
    printf("%s\n", failures ? "FAIL" : "PASS");
    return failures ? 1 : 0;
}
