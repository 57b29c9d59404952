#include "progress.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace secondlook {

namespace {
// Starting a thread costs as much as about this many tests.
constexpr double kTestsPerThread = 50000.0;
}  // namespace

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
    int running = threads - 1;
    std::mutex guard;
    std::condition_variable finished;
    Ending ending(control);
    const auto work = [&](int worker) {
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
        if (worker == 0) return;
        const std::lock_guard<std::mutex> lock(guard);
        --running;
        finished.notify_one();
    };
    std::vector<std::thread> others;
    for (int worker = 1; worker < threads; ++worker) others.emplace_back(work, worker);
    work(0);
    // The calling thread alone hears Ctrl-C, so it listens while others finish a long row.
    std::unique_lock<std::mutex> lock(guard);
    while (!finished.wait_for(lock, std::chrono::milliseconds(5), [&] { return running == 0; }))
        if (control.interrupted && control.interrupted()) ending.stop(Outcome::interrupted, nullptr);
    lock.unlock();
    for (std::thread& thread : others) thread.join();
    return ending.outcome();
}

}  // namespace secondlook
