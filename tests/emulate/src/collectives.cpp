// collectives.cpp - the vendor's communication library: Gloo on tensors that share the memory.
#include "emulated.h"

#include "collectives.h"

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/reducer_timer.hpp>
#include <torch/custom_class.h>
#include <torch/library.h>

namespace emulated {
namespace {

using Tensors = std::vector<at::Tensor>;
using Lists = std::vector<Tensors>;
using WorkPtr = c10::intrusive_ptr<c10d::Work>;

Tensors host(Call &call, const Tensors &list) {
    Tensors out;
    for (const auto &t : list) {
        TORCH_CHECK(is_emulated(t), "No backend type associated with device type ", t.device());
        out.push_back(call.to_host(t));
    }
    return out;
}
Lists host(Call &call, const Lists &lists) {
    Lists out;
    for (const auto &list : lists) out.push_back(host(call, list));
    return out;
}

// What a collective returns: its results are the device's tensors.
class Done final : public c10d::Work {
  public:
    Done(WorkPtr inner, Tensors results, bool now)
        : Work(-1, inner->retrieveOpType()), inner_(std::move(inner)),
          results_(std::move(results)) {
        if (now) inner_->wait();
    }
    bool isCompleted() override { return inner_->isCompleted(); }
    bool isSuccess() const override { return inner_->isSuccess(); }
    int sourceRank() const override { return inner_->sourceRank(); }
    void synchronize() override { inner_->wait(); }
    bool wait(std::chrono::milliseconds timeout) override { return inner_->wait(timeout); }
    Tensors result() override { return results_; }
    c10::intrusive_ptr<c10::ivalue::Future> getFuture() override {
        inner_->wait();
        auto future = c10::make_intrusive<c10::ivalue::Future>(
            c10::ListType::create(c10::TensorType::get()));
        future->markCompleted(c10::IValue(results_));
        return future;
    }

  private:
    WorkPtr inner_;
    Tensors results_;
};

class Collectives final : public c10d::Backend {
  public:
    Collectives(c10::intrusive_ptr<c10d::Backend> gloo, std::string name)
        : Backend(gloo->getRank(), gloo->getSize()), gloo_(std::move(gloo)),
          name_(std::move(name)) {}
    const std::string getBackendName() const override { return name_; }
    bool supportsCoalescing() const override { return false; }
    void setTimeout(std::chrono::milliseconds t) override { gloo_->setTimeout(t); }

    WorkPtr broadcast(Tensors &t, const c10d::BroadcastOptions &o) override {
        Call call;
        auto h = host(call, t);
        return done(gloo_->broadcast(h, o), t);
    }
    // Gloo has no mean.
    template <class Options, class F> WorkPtr reducing(const Tensors &out, Options o, F run) {
        bool mean = o.reduceOp == c10d::ReduceOp::AVG;
        if (mean) o.reduceOp = c10d::ReduceOp::SUM;
        auto work = done(run(o), out);
        if (mean)
            for (auto &t : out) const_cast<at::Tensor &>(t).div_(size_);
        return work;
    }
    WorkPtr allreduce(Tensors &t, const c10d::AllreduceOptions &o) override {
        Call call;
        auto h = host(call, t);
        return reducing(t, o, [&](auto &opt) { return gloo_->allreduce(h, opt); });
    }
    WorkPtr allreduce_coalesced(Tensors &t, const c10d::AllreduceCoalescedOptions &o) override {
        WorkPtr last;
        for (auto &one : t) {
            Tensors list{one};
            last = allreduce(list, o);
        }
        return last;
    }
    WorkPtr reduce(Tensors &t, const c10d::ReduceOptions &o) override {
        Call call;
        auto h = host(call, t);
        return reducing(t, o, [&](auto &opt) { return gloo_->reduce(h, opt); });
    }
    WorkPtr allgather(Lists &out, Tensors &in, const c10d::AllgatherOptions &o) override {
        Call call;
        auto to = host(call, out);
        auto from = host(call, in);
        return done(gloo_->allgather(to, from, o), out.at(0));
    }
    WorkPtr all_gather_single(at::Tensor &out, at::Tensor &in,
                              const c10d::AllgatherOptions &o) override {
        Call call;
        /* Only elements count for the vendors' libraries; Gloo looks at shapes, too. */
        auto to = call.to_host(out).view(-1), from = call.to_host(in).reshape(-1);
        return done(gloo_->all_gather_single(to, from, o), {out});
    }
    WorkPtr all_gather_single_coalesced(Tensors &out, Tensors &in,
                                        const c10d::AllgatherOptions &o) override {
        for (size_t i = 0; i < out.size(); i++) all_gather_single(out[i], in[i], o);
        return barrier({});
    }
    WorkPtr gather(Lists &out, Tensors &in, const c10d::GatherOptions &o) override {
        Call call;
        auto to = host(call, out);
        auto from = host(call, in);
        return done(gloo_->gather(to, from, o), out.empty() ? Tensors{} : out[0]);
    }
    WorkPtr scatter(Tensors &out, Lists &in, const c10d::ScatterOptions &o) override {
        Call call;
        auto to = host(call, out);
        auto from = host(call, in);
        return done(gloo_->scatter(to, from, o), out);
    }
    // Gloo's own versions differ from release to release; a sum of everything is the same.
    WorkPtr reduce_scatter_single(at::Tensor &out, at::Tensor &in,
                                  const c10d::ReduceScatterOptions &o) override {
        Tensors all{in.clone()};
        c10d::AllreduceOptions options;
        options.reduceOp = o.reduceOp;
        auto work = allreduce(all, options);
        out.copy_(all[0].reshape({-1}).chunk(size_)[rank_].view_as(out));
        return work;
    }
    WorkPtr reduce_scatter(Tensors &out, Lists &in, const c10d::ReduceScatterOptions &o) override {
        auto flat = at::stack(in.at(0));
        return reduce_scatter_single(out.at(0), flat, o);
    }
    WorkPtr reduce_scatter_single_coalesced(Tensors &out, Tensors &in,
                                            const c10d::ReduceScatterOptions &o) override {
        for (size_t i = 0; i < out.size(); i++) reduce_scatter_single(out[i], in[i], o);
        return barrier({});
    }
    WorkPtr all_to_all_single(at::Tensor &out, at::Tensor &in, std::vector<int64_t> &to_sizes,
                              std::vector<int64_t> &from_sizes,
                              const c10d::AllToAllOptions &o) override {
        Call call;
        auto to = call.to_host(out), from = call.to_host(in);
        return done(gloo_->all_to_all_single(to, from, to_sizes, from_sizes, o), {out});
    }
    WorkPtr send(Tensors &t, int rank, int tag) override {
        Call call;
        auto h = host(call, t);
        return c10::make_intrusive<Done>(gloo_->send(h, rank, tag), t, false);
    }
    WorkPtr recv(Tensors &t, int rank, int tag) override {
        Call call;
        auto h = host(call, t);
        return c10::make_intrusive<Done>(gloo_->recv(h, rank, tag), t, false);
    }
    WorkPtr barrier(const c10d::BarrierOptions &) override {
        return c10::make_intrusive<Done>(gloo_->barrier(), Tensors{}, true);
    }

  private:
    WorkPtr done(WorkPtr work, const Tensors &results) {
        return c10::make_intrusive<Done>(std::move(work), results, true);
    }
    c10::intrusive_ptr<c10d::Backend> gloo_;
    std::string name_;
};

// An operator of c10d for the XPU. PyTorch without Intel's kernels has none, but one for
// PrivateUse1, which asks the group for the back end of that device type and does all else alike:
// it gets a group that knows the same back end by that type.
void as_private_use(const c10::OperatorHandle &op, torch::jit::Stack *stack) {
    static auto group_type = c10::getCustomClassType<c10::intrusive_ptr<c10d::ProcessGroup>>();
    size_t count = op.schema().arguments().size();
    for (size_t i = stack->size() - count; i < stack->size(); i++) {
        auto &argument = (*stack)[i];
        if (!argument.isObject() || argument.type() != group_type) continue;
        auto group = argument.toCustomClass<c10d::ProcessGroup>();
        auto backend = group->getBackend(kind.type);
        auto other = c10::make_intrusive<c10d::ProcessGroup>(group->getRank(), group->getSize());
        other->setBoundDeviceId(backend->getBoundDeviceId());
        other->setBackend(c10::DeviceType::PrivateUse1, c10d::ProcessGroup::BackendType::CUSTOM,
                          backend);
        argument = c10::IValue(other);
    }
    op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::PrivateUse1), stack);
}

// What DistributedDataParallel measures itself with; PyTorch has one for the CPU and one for CUDA.
struct Timer final : c10d::Timer {
    std::optional<int64_t> measureDifference(Event start, Event end) override {
        auto a = getTimestamp(start), b = getTimestamp(end);
        return a && b && *b > *a ? std::optional<int64_t>(*b - *a) : std::nullopt;
    }
};

} // namespace

void install_collectives() {
    if (kind.type != c10::DeviceType::XPU && kind.type != c10::DeviceType::HPU) return;
    static torch::Library m(torch::Library::IMPL, "c10d", kind.key, __FILE__, __LINE__);
    const auto &dispatcher = c10::Dispatcher::singleton();
    for (const auto &name :
         dispatcher.getRegistrationsForDispatchKey(c10::DispatchKey::PrivateUse1))
        if (name.name.rfind("c10d::", 0) == 0)
            m.impl(name.name.c_str(),
                   torch::CppFunction::makeFromBoxedFunction<&as_private_use>());
}

void install_timer() {
    if (c10d::TimerRegistry()->Has(kind.type)) return;
    c10d::TimerRegistry()->Register(kind.type, [](c10::Device) -> std::unique_ptr<c10d::Timer> {
        return std::make_unique<Timer>();
    });
}

c10::intrusive_ptr<c10d::Backend> collectives(c10::intrusive_ptr<c10d::Backend> gloo,
                                              std::string name) {
    return c10::make_intrusive<Collectives>(std::move(gloo), std::move(name));
}

} // namespace emulated
