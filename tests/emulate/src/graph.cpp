// graph.cpp - a graph is the list of operators that ran while it was captured. As on hardware,
// capture itself leaves no trace: memory and the random generator are as before afterwards.
#include "emulated.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/LegacyTypeDispatch.h>

#include <map>
#include <memory>

namespace emulated {
namespace {

struct Step {
    c10::OperatorHandle op;
    std::vector<c10::IValue> arguments, results;
};
struct Graph {
    std::vector<Step> steps;
};
struct Capture {
    std::shared_ptr<Graph> graph;
    std::vector<std::pair<c10::Storage, std::vector<char>>> before;
    at::Tensor random;
};

std::map<int64_t, std::shared_ptr<Graph>> graphs;
std::unique_ptr<Capture> capture;
thread_local bool replaying = false;

template <class F> void each_tensor(const c10::IValue &value, F f) {
    if (value.isTensor()) {
        if (value.toTensor().defined()) f(value.toTensor());
    } else if (value.isTensorList()) {
        for (const at::Tensor &t : value.toTensorVector()) f(t);
    } else if (value.isOptionalTensorList()) {
        for (const std::optional<at::Tensor> &t : value.toOptionalTensorVector())
            if (t) f(*t);
    }
}

// The value with tensors of their own over the same memory: the program may reshape its ones
// later.
c10::IValue frozen(const c10::IValue &value) {
    auto shadow = [](const at::Tensor &t) {
        return is_emulated(t) ? tensor_like(t, t.storage(), kind.key) : t;
    };
    if (value.isTensor()) return shadow(value.toTensor());
    if (value.isTensorList()) {
        c10::List<at::Tensor> list;
        for (const at::Tensor &t : value.toTensorVector()) list.push_back(shadow(t));
        return list;
    }
    if (value.isOptionalTensorList()) {
        c10::List<std::optional<at::Tensor>> list;
        for (const std::optional<at::Tensor> &t : value.toOptionalTensorVector())
            list.push_back(t ? std::optional<at::Tensor>(shadow(*t)) : std::nullopt);
        return list;
    }
    return value;
}

} // namespace

bool capturing() { return capture && !replaying; }

void graph_sees(std::vector<c10::IValue> &arguments) {
    auto remember = [](const at::Tensor &t) {
        if (!is_emulated(t)) return;
        for (auto &[storage, bytes] : capture->before)
            if (storage.is_alias_of(t.storage())) return;
        auto *data = static_cast<const char *>(t.storage().data());
        capture->before.emplace_back(t.storage(),
                                     std::vector<char>(data, data + t.storage().nbytes()));
    };
    for (auto &argument : arguments) {
        each_tensor(argument, remember);
        argument = frozen(argument);
    }
}

void graph_saw(const c10::OperatorHandle &op, std::vector<c10::IValue> arguments,
               std::vector<c10::IValue> results) {
    TORCH_CHECK(op.schema().name() != "aten::_local_scalar_dense",
                "operation not permitted when stream is capturing");
    for (auto &result : results) result = frozen(result);
    capture->graph->steps.push_back({op, std::move(arguments), std::move(results)});
}

int64_t graph_begin() {
    TORCH_CHECK(!capture, "a graph is being captured already");
    capture = std::make_unique<Capture>();
    capture->graph = std::make_shared<Graph>();
    capture->random = at::Tensor(at::detail::getDefaultCPUGenerator().get_state());
    static int64_t next = 1;
    graphs[next] = capture->graph;
    return next++;
}

void graph_end() {
    TORCH_CHECK(capture, "no graph is being captured");
    auto done = std::move(capture);
    for (auto &[storage, bytes] : done->before)
        std::memcpy(storage.mutable_data(), bytes.data(),
                    std::min(bytes.size(), storage.nbytes()));
    at::Generator(at::detail::getDefaultCPUGenerator()).set_state(done->random);
}

void graph_replay(int64_t number) {
    auto graph = graphs.at(number);
    at::AutoDispatchBelowADInplaceOrView below;
    replaying = true;
    for (auto &step : graph->steps) {
        torch::jit::Stack stack(step.arguments.begin(), step.arguments.end());
        step.op.callBoxed(&stack);
        for (size_t i = 0; i < stack.size(); i++) {
            std::vector<at::Tensor> now, then;
            each_tensor(stack[i], [&](const at::Tensor &t) { now.push_back(t); });
            each_tensor(step.results[i], [&](const at::Tensor &t) { then.push_back(t); });
            for (size_t k = 0; k < now.size(); k++)
                if (is_emulated(now[k]) && !now[k].storage().is_alias_of(then[k].storage()))
                    then[k].copy_(now[k]);
        }
    }
    replaying = false;
}

void graph_drop(int64_t number) { graphs.erase(number); }

} // namespace emulated
