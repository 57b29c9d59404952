#include "progress.hpp"

#include <algorithm>
#include <exception>

namespace secondlook {

namespace {
// Having a thread join in costs as much as about this many tests.
constexpr double kTestsPerThread = 50000.0;
}  // namespace

Crew::~Crew() {
    {
        const std::lock_guard<std::mutex> lock(guard_);
        leaving_ = true;
    }
    started_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void Crew::start(int helpers, const std::function<void(int)>& work) {
    if (helpers == 0) return;
    const std::lock_guard<std::mutex> lock(guard_);
    while (static_cast<int>(threads_.size()) < helpers) threads_.emplace_back(&Crew::serve, this, static_cast<int>(threads_.size()) + 1);
    work_ = &work, helpers_ = running_ = helpers;
    ++round_;
    started_.notify_all();
}

bool Crew::finished_within(std::chrono::milliseconds wait) {
    std::unique_lock<std::mutex> lock(guard_);
    return finished_.wait_for(lock, wait, [&] { return running_ == 0; });
}

void Crew::serve(int worker) {
    std::unique_lock<std::mutex> lock(guard_);
    for (std::int64_t seen = 0;;) {
        started_.wait(lock, [&] { return leaving_ || round_ != seen; });
        if (leaving_) return;
        seen = round_;
        if (worker > helpers_) continue;
        const std::function<void(int)>& work = *work_;
        lock.unlock();
        work(worker);
        lock.lock();
        if (--running_ == 0) finished_.notify_one();
    }
}

void Meter::flush() {
    control_.tests += counted_;
    counted_ = 0;
    pending_ = 0;
}

void Meter::check() {
    flush();
    if (calling_ && control_.interrupted && control_.interrupted()) throw Stopped{Outcome::interrupted};
    if (control_.stop) throw Stopped{Outcome::interrupted};
    expect(static_cast<double>(control_.tests));
}

void Meter::expect(double tests) const {
    if (control_.max_tests > 0.0 && tests > control_.max_tests) throw Stopped{Outcome::over_budget};
}

namespace {

// Keeps the first reason to stop, whichever thread meets it.
class Ending {
public:
    explicit Ending(Control& control) : control_(control) {}
    void stop(Outcome why, std::exception_ptr error) {
        const std::lock_guard<std::mutex> lock(guard_);
        if (!control_.stop) outcome_ = why, error_ = error;
        control_.stop = true;
    }
    Outcome outcome() const {
        if (error_) std::rethrow_exception(error_);
        return outcome_;
    }

private:
    Control& control_;
    std::mutex guard_;
    Outcome outcome_ = Outcome::done;
    std::exception_ptr error_;
};

}  // namespace

Outcome run_rows(int rows, double expected_tests, Control& control,
                 const std::function<void(int, int, Meter&)>& body) {
    const int useful = 1 + static_cast<int>(std::min(expected_tests / kTestsPerThread, 1e6));
    const int threads = std::max(1, std::min({control.threads, useful, rows}));
    const int chunk = std::max(1, std::min(64, rows / (threads * 16)));
    std::atomic<int> next{0};
    Ending ending(control);
    const std::function<void(int)> work = [&](int worker) {
        try {
            Meter meter(control, worker == 0);
            for (int begin; !control.stop && (begin = next.fetch_add(chunk)) < rows;)
                for (int row = begin; row < std::min(rows, begin + chunk); ++row) body(row, worker, meter);
            if (worker == 0) meter.check();
        } catch (const Stopped& stopped) {
            ending.stop(stopped.why, nullptr);
        } catch (...) {
            ending.stop(Outcome::done, std::current_exception());
        }
    };
    control.crew.start(threads - 1, work);
    work(0);
    // The calling thread alone hears Ctrl-C, so it listens while others finish a long row.
    while (!control.crew.finished_within(std::chrono::milliseconds(5)))
        if (control.interrupted && control.interrupted()) ending.stop(Outcome::interrupted, nullptr);
    return ending.outcome();
}

}  // namespace secondlook
