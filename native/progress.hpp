// What a long computation shares with its caller: interruption, the budget of tests, and worker threads.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace secondlook {

enum class Outcome { done, interrupted, over_budget };

// Work that stops early throws one of these inside a worker; run_rows turns it into an Outcome.
struct Stopped {
    Outcome why;
};

// Threads that stay for one engine call: a search has some forty short stretches of parallel work.
class Crew {
public:
    Crew() = default;
    ~Crew();
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    // Has work(1), ..., work(helpers) called, each on a thread of its own. `work` must live until all have returned.
    void start(int helpers, const std::function<void(int worker)>& work);
    // Whether all have returned; waits no longer than this.
    bool finished_within(std::chrono::milliseconds wait);

private:
    void serve(int worker);

    std::mutex guard_;
    std::condition_variable started_, finished_;
    std::vector<std::thread> threads_;
    const std::function<void(int)>* work_ = nullptr;
    std::int64_t round_ = 0;  // counts the starts
    int helpers_ = 0, running_ = 0;
    bool leaving_ = false;
};

struct Control {
    int threads = 1;
    double max_tests = 0.0;                    // per level, 0 for no limit
    std::function<bool()> interrupted;         // asked now and then, by the calling thread only
    std::atomic<bool> stop{false};
    std::atomic<std::int64_t> tests{0};        // of the current level
    Crew crew;
};

// Counts a worker's tests and notices, every few million, that it should stop.
class Meter {
public:
    Meter(Control& control, bool calling_thread) : control_(control), calling_(calling_thread) {}
    ~Meter() { flush(); }
    Meter(const Meter&) = delete;
    Meter& operator=(const Meter&) = delete;

    void count(std::int64_t tests) {
        pending_ += tests + 1;
        counted_ += tests;
        if (pending_ > kCheckEvery) check();
    }
    // Refuses work that a row is about to start when it alone exceeds the budget. Which rows other
    // threads have finished plays no part, so the refusal is the same on any number of threads.
    void expect(double tests) const;
    void check();
    void flush();

private:
    static constexpr std::int64_t kCheckEvery = 1 << 22;
    Control& control_;
    bool calling_;
    std::int64_t pending_ = 0, counted_ = 0;
};

// Calls body(row, worker, meter) for every row, rows handed out in ascending chunks. Small work stays on one thread.
Outcome run_rows(int rows, double expected_tests, Control& control,
                 const std::function<void(int row, int worker, Meter& meter)>& body);

}  // namespace secondlook
