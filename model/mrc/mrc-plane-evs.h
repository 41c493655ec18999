// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_PLANE_EVS_H
#define LOSSLESS_MRC_PLANE_EVS_H

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The entropy values (EVs) of one plane of a queue pair of MRC: a rotation of slots that packets
 * take in turn, backups that wait, and the state of each EV (OCP MRC 1.0, section 9; sheet 16,
 * section 3). A mark costs an EV one turn; a loss takes the EV out of service until probes have
 * been answered. EVs are told apart by their index; the value is what a packet carries.
 */
class MrcPlaneEvs
{
  public:
    /// What is known of an EV.
    enum State : uint8_t
    {
        GOOD,        //!< in use, or a backup
        SKIP,        //!< a packet was marked or trimmed: it misses one turn
        ASSUMED_BAD, //!< a packet was lost: out of service, probed
        DENIED       //!< out of service by order of the controller
    };

    /// No EV.
    static constexpr uint16_t NONE = 0xffff;

    /**
     * @param values of the EVs, all different; the first ones begin in the rotation
     * @param active how many are in the rotation, the others are backups
     * @param floor so many stay in the rotation whatever is lost
     * @param successes answered probes in a row that bring an EV back
     * @param draws order of each round, uniform in [0, 1); null: always the same
     */
    MrcPlaneEvs(std::vector<uint32_t> values,
                uint32_t active,
                uint32_t floor,
                uint32_t successes,
                Ptr<RandomVariableStream> draws);

    /// A packet is built, for the first time or again. @return the EV that it takes; NONE: the
    /// plane has none, and is out of service
    uint16_t Choose();

    /// @return whether Choose() would find an EV
    bool HasEv() const;

    /// A packet of an EV came with CE, or was trimmed on the path. @param ev the EV
    void Mark(uint16_t ev);

    /// A packet of an EV was lost, and not trimmed. @param ev the EV @return whether the EV has
    /// just left the rotation or the backups; not if the plane has no more than the floor
    bool NoteLoss(uint16_t ev);

    /// The packet that NoteLoss() was told of has arrived after all: its EV is GOOD at once.
    /// @param ev the EV
    void NoteSpurious(uint16_t ev);

    /// A probe of an EV has ended. @param ev the EV @param answered whether an answer came
    /// @param marked whether the probe came with CE
    void Probed(uint16_t ev, bool answered, bool marked);

    /// The controller takes an EV out of service. @param ev the EV
    void Deny(uint16_t ev);

    /// The controller lets a denied EV be used again. @param ev the EV
    void Allow(uint16_t ev);

    /// @param ev an EV @return its state
    State GetState(uint16_t ev) const
    {
        return m_evs[ev].state;
    }

    /// @param ev an EV @return the value that packets carry
    uint32_t GetValue(uint16_t ev) const
    {
        return m_evs[ev].value;
    }

    /// @param value what a packet carried @return the EV, of several a GOOD one if there is one;
    /// NONE: none has this value
    uint16_t Find(uint32_t value) const;

    /// @return number of EVs
    uint16_t GetN() const
    {
        return m_evs.size();
    }

    /// @return the EVs in the rotation, in the order of the slots
    const std::vector<uint16_t>& GetSlots() const
    {
        return m_slots;
    }

    /// @return the EVs that wait, the next one first
    const std::vector<uint16_t>& GetBackups() const
    {
        return m_backups;
    }

    /// @return losses that would have left the plane with fewer EVs than the floor
    uint64_t GetRefused() const
    {
        return m_refused;
    }

    /// @return number of EVs that are ASSUMED_BAD
    uint16_t GetBad() const
    {
        return m_bad;
    }

  private:
    /// An EV.
    struct Ev
    {
        uint32_t value{0};
        State state{GOOD};
        uint8_t answered{0}; //!< probes in a row
    };

    /// Take an EV out of the rotation or the backups; a backup takes its slot. @param ev the EV
    void TakeOut(uint16_t ev);
    /// Put an EV into the rotation if that lacks one, else behind the backups. @param ev the EV
    void PutBack(uint16_t ev);
    /// A round is over: draw the order of the next one.
    void Shuffle();

    std::vector<Ev> m_evs;             //!< by index
    std::vector<uint16_t> m_byValue;   //!< indices in the order of their values
    std::vector<uint16_t> m_slots;     //!< GetSlots()
    std::vector<uint16_t> m_backups;   //!< GetBackups()
    Ptr<RandomVariableStream> m_draws; //!< order of rounds; null: none
    uint32_t m_active;                 //!< slots that the rotation is to have
    uint32_t m_floor;                  //!< slots that it keeps
    uint32_t m_successes;              //!< probes that bring an EV back
    uint32_t m_cursor{0};              //!< slot whose turn it is
    uint64_t m_refused{0};             //!< GetRefused()
    uint16_t m_bad{0};                 //!< GetBad()
};

} // namespace ns3

#endif // LOSSLESS_MRC_PLANE_EVS_H
