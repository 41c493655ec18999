// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_CLAIMS_H
#define LOSSLESS_FABRIC_CLAIMS_H

#include "fabric-differences.h"
#include "fabric-settings.h"
#include "object-batch.h"

#include "ns3/fabric-objects.h"
#include "ns3/sonic-config.h"
#include "ns3/sonic-switch.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

struct ClassValue;
struct PortValue;

/**
 * @ingroup lossless
 *
 * Settings of places of a fabric, of its build or of one call during its life, that become values
 * of its objects: all of them or none. Of several claims to one value that of the narrower places
 * wins, and of equals the later; at places of one rank files of SONiC come before settings, and
 * objects before what may be their attributes. What an option of the program says stays.
 */
class FabricClaims
{
  public:
    /// What is set together.
    enum Part
    {
        PORTS, //!< ports, their schedulers, class maps and cables: the rest depends on them
        REST   //!< all else
    };

    /// Its switches follow what changes from now on with Finish() or Undo().
    /// @param fabric with the objects @param told what is said, in order
    FabricClaims(const FabricObjects& fabric, const std::vector<FabricSettings>& told);

    /// Give the objects their values. FabricError for what cannot be. @param part of them
    void Put(Part part);

    /// The switches follow. FabricError if one cannot.
    void Finish();

    /// Take all back.
    void Undo();

    /// @return what became of each claim, and where it was made
    std::vector<SettingDifference> List() const;

  private:
    /// A setting, and where it is claimed.
    struct Claim
    {
        const FabricSetting* setting; //!< what
        const FabricPlaces* places;   //!< where
        const ClassValue* ofClass;    //!< what it is of a (port, class); null: nothing
        const PortValue* ofPort;      //!< what it is of a port; null: nothing
        uint8_t ofCurve;              //!< what it is of the curve of a queue; 0: nothing
        bool isOfProgram;             //!< an option of the program wins over it
        uint32_t count{0};            //!< values that it has
        const Claim* by{nullptr};     //!< what won the last one of others
    };

    /// A configuration of SONiC.
    struct Sonic
    {
        const FabricPlaces* places; //!< of which switches
        SonicConfig config;         //!< what it says
    };

    /// A claim or a configuration that has its turn.
    struct Step
    {
        uint32_t order;     //!< the higher one comes later
        Claim* claim;       //!< null: it is a configuration
        const Sonic* sonic; //!< null: it is a claim
    };

    /// A value of an object: its name, and port * 8 + class of it.
    using Value = std::tuple<const Object*, std::string, uint32_t>;

    /// Find the objects of a claim, and what they get. FabricError if there are none.
    void Add(Claim& claim);
    /// The same at a place. @return whether the place has what the claim is about
    bool Add(Claim& claim, const FabricPlace& place);
    /// The same for values of each (port, class). @param isOwn false: those of the switch again
    bool AddClasses(Claim& claim, const FabricPlace& place, bool isOwn);
    /// The same for queues of a marker.
    bool AddQueues(Claim& claim, const FabricPlace& place, bool isOwn);
    /// The same for attributes.
    bool AddAttributes(Claim& claim, const FabricPlace& place);
    /// A value is that of a claim. @param isOwn false: another value says so
    void Win(Claim& claim, const Value& value, bool isOwn = true);
    /// @return what an object gets
    ObjectBatch& BatchOf(const Ptr<Object>& object, const FabricPlace& place);
    /// A switch follows what has changed. @param which of them
    void Follow(SwitchId which) const;
    /// Give the objects what was found so far.
    void PutBatches();
    /// FabricError: nothing takes a claim.
    [[noreturn]] void FailNowhere(const Claim& claim) const;

    const FabricObjects m_fabric;
    const std::vector<FabricSettings> m_told;
    std::vector<Claim> m_claims; //!< in the order of the calls
    std::vector<Sonic> m_sonic;  //!< likewise
    std::map<Value, Claim*> m_winners;
    std::vector<std::pair<FabricPlace, ObjectBatch>> m_batches; //!< to be put
    std::map<const Object*, std::size_t> m_index;               //!< of m_batches
    std::vector<ObjectBatch> m_done;
    std::vector<SonicSwitch> m_sonicDone;
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_CLAIMS_H
