// Thrust's algorithms into iterators that can only be written through: streams, back_inserter.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>

#include <cstdio>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

int main() {
    thrust::device_vector<int> d(4);
    thrust::sequence(d.begin(), d.end(), 1);
    std::ostringstream text;
    thrust::copy(d.begin(), d.end(), std::ostream_iterator<int>(text, " "));
    thrust::host_vector<int> h = d;
    std::vector<int> all;
    thrust::copy(h.begin(), h.end(), std::back_inserter(all));
    bool good = text.str() == "1 2 3 4 " && all == std::vector<int>({1, 2, 3, 4});
    printf("%s\n", good ? "PASS" : "FAIL");
    return !good;
}
