// SPDX-License-Identifier: GPL-2.0-only
#include "sequence-part.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t PHASE_SHIFT = 48; //!< labels of parts are below 2^48
constexpr uint64_t LABELS = (uint64_t{1} << PHASE_SHIFT) - 1;

} // namespace

/// What a phase has in place of the port.
class SequencePart::Port : public CollectivePort
{
  public:
    Port(CollectivePort& port, Phase& phase, std::size_t number)
        : m_port(port),
          m_phase(phase),
          m_label(uint64_t{number} << PHASE_SHIFT)
    {
    }

    void Send(uint32_t to, uint64_t bytes, uint64_t label, bool tells) override
    {
        m_port.Send(PositionOf(to), bytes, m_label | label, tells);
    }

    void Receive(uint32_t from, uint64_t bytes, uint64_t label, bool reduces) override
    {
        ++m_phase.receives;
        m_port.Receive(PositionOf(from), bytes, m_label | label, reduces);
    }

  private:
    uint32_t PositionOf(uint32_t position) const
    {
        return m_phase.positions.empty() ? position : m_phase.positions[position];
    }

    CollectivePort& m_port;
    Phase& m_phase;
    uint64_t m_label;
};

void
SequencePart::Add(std::unique_ptr<CollectivePart> part, std::vector<uint32_t> positions)
{
    m_phases.push_back({std::move(part), std::move(positions)});
}

void
SequencePart::Start(CollectivePort& port)
{
    Go(port);
}

void
SequencePart::Go(CollectivePort& port)
{
    while (m_begun < m_phases.size() && (m_begun == 0 || HasEnded(m_phases[m_begun - 1])))
    {
        const std::size_t number = m_begun++;
        Port inner(port, m_phases[number], number);
        m_phases[number].part->Start(inner);
    }
}

bool
SequencePart::HasEnded(const Phase& phase)
{
    return phase.receives == 0 && !phase.part->WaitsToSend();
}

uint32_t
SequencePart::PositionIn(const Phase& phase, uint32_t position)
{
    const auto found = std::find(phase.positions.begin(), phase.positions.end(), position);
    return phase.positions.empty() ? position
                                   : static_cast<uint32_t>(found - phase.positions.begin());
}

void
SequencePart::Received(CollectivePort& port, uint32_t from, uint64_t label)
{
    const std::size_t number = label >> PHASE_SHIFT;
    Phase& phase = m_phases[number];
    --phase.receives;
    Port inner(port, phase, number);
    phase.part->Received(inner, PositionIn(phase, from), label & LABELS);
    Go(port);
}

void
SequencePart::Sent(CollectivePort& port, uint32_t to, uint64_t label)
{
    const std::size_t number = label >> PHASE_SHIFT;
    Phase& phase = m_phases[number];
    Port inner(port, phase, number);
    phase.part->Sent(inner, PositionIn(phase, to), label & LABELS);
    Go(port);
}

uint64_t
SequencePart::GetMostMessages() const
{
    uint64_t all = 0;
    for (const Phase& phase : m_phases)
    {
        const uint64_t most = phase.part->GetMostMessages();
        all = most > ~all ? ~uint64_t{0} : all + most;
    }
    return all;
}

bool
SequencePart::WaitsToSend() const
{
    return std::any_of(m_phases.begin(), m_phases.end(), [](const Phase& phase) {
        return phase.part->WaitsToSend();
    });
}

} // namespace ns3
