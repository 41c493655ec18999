// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_TEST_UTIL_H
#define LOSSLESS_RDMA_TEST_UTIL_H

#include "ns3/frame-trim.h"
#include "ns3/integer.h"
#include "ns3/rdma-go-back-0.h"
#include "ns3/rdma-go-back-n.h"
#include "ns3/rdma-irn.h"
#include "ns3/rdma-requester.h"
#include "ns3/rdma-responder.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <vector>

namespace ns3
{

/// Both halves of a queue pair without the queue pair.
struct TestEnd : public RdmaCompletionSink
{
    explicit TestEnd(uint16_t mtu = 1024)
        : requester(end),
          responder(end)
    {
        end.connection.mtu = mtu;
        end.connection.localQp = 2;
        end.connection.remoteQp = 2;
        end.connection.retransmitTicks = 1000;
        end.connection.nackTicks = 500;
        end.connection.ticksPerSecond = 1000000000;
        end.connection.rnrTimerCode = 1;
        end.recovery = CreateObject<RdmaGoBackN>();
        end.counters = &counters;
        end.sink = this;
    }

    void RequestCompleted(const RdmaCompletion& completion) override
    {
        completed.push_back(completion);
        if (onCompleted)
        {
            onCompleted(completion);
        }
    }

    void MessageReceived(const RdmaCompletion& completion) override
    {
        received.push_back(completion);
    }

    /// @param verb what @param bytes length @param now tick @return id
    uint64_t Post(RdmaVerb verb, uint64_t bytes, int64_t now = 0)
    {
        RdmaWorkRequest request;
        request.verb = verb;
        request.bytes = bytes;
        request.immediate = HasImmediate(verb) ? 0xabcd : 0;
        request.remoteAddress = 0x1000;
        return requester.Post(request, now);
    }

    /// @param cap BdpCap @param low short timeout, ticks @param high long timeout, ticks
    /// @param reorder ReorderThreshold
    void UseIrn(uint32_t cap, int64_t low, int64_t high, int32_t reorder = 0)
    {
        auto irn = CreateObject<RdmaIrn>();
        irn->SetAttribute("BdpCap", UintegerValue(cap));
        irn->SetAttribute("TimeoutLow", TimeValue(TimeStep(low)));
        irn->SetAttribute("TimeoutHigh", TimeValue(TimeStep(high)));
        irn->SetAttribute("ReorderThreshold", IntegerValue(reorder));
        end.recovery = irn;
        end.sender = irn->MakeSender(flow);
        end.receiver = irn->MakeReceiver();
    }

    RdmaEnd end;
    RdmaFlowState flow;
    RdmaCounters counters;
    RdmaRequester requester;
    RdmaResponder responder;
    uint64_t window{0};
    std::vector<RdmaCompletion> completed;
    std::vector<RdmaCompletion> received;
    std::function<void(const RdmaCompletion&)> onCompleted;
};

/// Two ends joined by two pipes. In every tick each end may send one packet; what it answers to a
/// packet leaves at once. Time stands for nothing else.
struct TestPair
{
    /// Whether a packet is lost, or comes twice. First argument: its sender, second: the packet.
    using Loss = std::function<bool(int, const Frame&)>;
    /// By how many ticks a packet is late. Arguments likewise.
    using Lateness = std::function<int64_t(int, const Frame&)>;

    explicit TestPair(uint16_t mtu = 1024, int64_t pipeTicks = 10)
        : ends{TestEnd(mtu), TestEnd(mtu)},
          delay(pipeTicks)
    {
    }

    ~TestPair()
    {
        for (auto& pipe : pipes)
        {
            for (auto& flying : pipe)
            {
                flying.frame->Release();
            }
        }
    }

    /// @param from sender @param frame sent
    void Send(int from, Frame* frame)
    {
        sent[from]++;
        log.push_back({from, frame->opcode, frame->psn, frame->ackRequest, frame->syndrome});
        if (lose && lose(from, *frame))
        {
            frame->Release();
            return;
        }
        if (cut && IsTrimmable(*frame) && cut(from, *frame))
        {
            trims++;
            TrimFrame(*frame, LEAST_TRIM_BYTES, Trim::ON_PATH);
        }
        if (mark && mark(from, *frame))
        {
            frame->ecn = Ecn::CE;
        }
        // As the wire has it: 24 bits.
        frame->psn &= 0xffffff;
        if (duplicate && duplicate(from, *frame))
        {
            Fly(from, frame->Copy());
        }
        Fly(from, frame);
    }

    /// Put a frame into the pipe, in the order of arrival. @param from sender @param frame sent
    void Fly(int from, Frame* frame)
    {
        const int64_t at = now + delay + (late ? late(from, *frame) : 0);
        auto& pipe = pipes[from];
        auto behind =
            std::upper_bound(pipe.begin(), pipe.end(), at, [](int64_t t, const Flying& f) {
                return t < f.at;
            });
        pipe.insert(behind, {at, frame});
    }

    /// @param to receiver @param frame that has arrived
    void Arrive(int to, Frame* frame)
    {
        TestEnd& end = ends[to];
        if (frame->opcode == RoceOpcode::ACKNOWLEDGE || IsReadResponse(frame->opcode))
        {
            auto outcome = frame->opcode == RoceOpcode::ACKNOWLEDGE
                               ? end.requester.OnAck(*frame, now)
                               : end.requester.OnReadResponse(*frame, now);
            Frame* ack = nullptr;
            if (frame->opcode == RoceOpcode::ACKNOWLEDGE || !frame->ackRequest)
            {
                frame->Release();
            }
            else
            {
                ack = end.requester.AcknowledgeResponse(frame, outcome);
            }
            if (ack)
            {
                Send(to, ack);
            }
            End(to, outcome);
            return;
        }
        if (frame->opcode == RoceOpcode::READ_ACKNOWLEDGE)
        {
            end.responder.OnReadAcknowledge(*frame);
            frame->Release();
            return;
        }
        if (Frame* answer = end.responder.Receive(frame, now))
        {
            Send(to, answer);
        }
    }

    void End(int which, const RdmaRequester::Outcome& outcome)
    {
        ackedBytes += outcome.ackedBytes;
        trimmedBytes += outcome.trimmedBytes;
        deliveredBytes[which] += outcome.deliveredBytes;
        lostBytes[which] += outcome.lostBytes;
        ends[which].requester.Complete(now);
        if (outcome.failed)
        {
            ends[which].requester.Fail(outcome.status, now);
        }
    }

    /// One tick.
    void Step()
    {
        for (int to = 0; to < 2; to++)
        {
            auto& pipe = pipes[1 - to];
            while (!pipe.empty() && pipe.front().at <= now)
            {
                Frame* frame = pipe.front().frame;
                pipe.pop_front();
                Arrive(to, frame);
            }
            if (ends[to].requester.Deadline() <= now)
            {
                End(to, ends[to].requester.OnTimer(now));
            }
        }
        for (int from = 0; from < 2; from++)
        {
            TestEnd& end = ends[from];
            if (end.responder.CanRespond(end.window))
            {
                Send(from, end.responder.BuildResponse(end.window, 0));
            }
            else if (end.requester.CanSend(end.window))
            {
                uint32_t promised = end.requester.HeadWireBytes();
                Frame* frame = end.requester.Build(end.window, now);
                headsRight &= promised == frame->WireBytes();
                Send(from, frame);
            }
        }
        now++;
    }

    /// Until nothing happens any more, or for so many ticks. @return whether it came to rest
    bool Run(int64_t ticks = 100000)
    {
        for (int64_t i = 0; i < ticks; i++)
        {
            if (IsQuiet())
            {
                return true;
            }
            Step();
        }
        return false;
    }

    bool IsQuiet() const
    {
        for (int i = 0; i < 2; i++)
        {
            const TestEnd& end = ends[i];
            if (!pipes[i].empty() || end.responder.HasResponses() || end.requester.IsBusy())
            {
                return false;
            }
        }
        return true;
    }

    /// A packet that was sent, lost or not.
    struct Sent
    {
        int from;
        RoceOpcode opcode;
        uint64_t psn;
        bool ackRequest;
        uint8_t syndrome;
    };

    struct Flying
    {
        int64_t at;
        Frame* frame;
    };

    TestEnd ends[2];
    int64_t delay;
    int64_t now{0};
    std::deque<Flying> pipes[2];
    std::vector<Sent> log;
    uint64_t sent[2]{};
    uint64_t ackedBytes{0};
    uint64_t trimmedBytes{0};
    uint64_t trims{0};
    uint64_t deliveredBytes[2]{};
    uint64_t lostBytes[2]{};
    bool headsRight{true};
    Loss lose;
    Loss mark; //!< whether a packet gets CE
    Loss duplicate;
    Loss cut; //!< whether a switch trims the packet
    Lateness late;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_TEST_UTIL_H
