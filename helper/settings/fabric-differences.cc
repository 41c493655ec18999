// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-differences.h"

#include "gathered-settings.h"
#include "setting-objects.h"
#include "type-relation.h"

#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-objects.h"
#include "ns3/fabric-places.h"
#include "ns3/headroom.h"
#include "ns3/lossless-link.h"
#include "ns3/nic-watchdog.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/rdma-entropy-policy.h"
#include "ns3/rdma-loss-recovery.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/strict-priority-scheduler.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"
#include "ns3/wred-ecn-marker.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <type_traits>
#include <utility>

namespace ns3
{

namespace
{

/// @param value of an attribute, or anything that can be printed @return its text
template <typename T>
std::string
TextOf(const T& value)
{
    if constexpr (std::is_same_v<T, double>)
    {
        return ExactText(value);
    }
    else
    {
        std::ostringstream os;
        os << value;
        return os.str();
    }
}

/// @param type "ns3::SwitchMmu" @return "SwitchMmu"
std::string
ShortName(const std::string& type)
{
    return type.compare(0, 5, "ns3::") == 0 ? type.substr(5) : type;
}

/// @param type that declares an attribute @param info the attribute @return "SwitchMmu.Alpha"
std::string
NameOf(TypeId type, const TypeId::AttributeInformation& info)
{
    return ShortName(type.GetName()) + "." + info.name;
}

/// Visit the attributes that the module's types give an object. @param type of the object
/// @param visit takes the type that declares an attribute, and the attribute
template <typename Visit>
void
ForEachAttribute(TypeId type, const Visit& visit)
{
    for (; type.GetGroupName() == "Lossless"; type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            visit(type, type.GetAttribute(i));
        }
    }
}

/// There is an object of a type. @param type it @param seen gets it and its parents
void
NoteSeen(TypeId type, std::set<TypeId>& seen)
{
    for (; type.GetGroupName() == "Lossless"; type = type.GetParent())
    {
        seen.insert(type);
    }
}

/// @param object an object @param info one of its attributes @return its value
std::string
ValueOf(const Object& object, const TypeId::AttributeInformation& info)
{
    const Ptr<AttributeValue> value = info.checker->Create();
    info.accessor->Get(&object, *value);
    return ExactText(*value, info.checker);
}

/// @param bytes of a setting of a buffer @param isDown whether they are rounded down to cells, not
/// up
/// @param cell its cells @return " (N in force)", where this differs by more than a hundredth
std::string
Rounded(uint64_t bytes, bool isDown, const CellSize& cell)
{
    const uint64_t cells = isDown ? bytes / cell.Bytes() : cell.RoundUp(bytes);
    const uint64_t inForce = cells * cell.Bytes();
    const uint64_t gap = isDown ? bytes - inForce : inForce - bytes;
    return gap > bytes / 100 ? " (" + std::to_string(inForce) + " in force)" : "";
}

/// Reads a fabric.
class FabricReader
{
  public:
    FabricReader(const FabricObjects& fabric, const SettingUse* use, bool isEnd = false)
        : m_fabric(fabric),
          m_use(use),
          m_isEnd(isEnd),
          m_topology(fabric.GetTopology()),
          m_names(FabricPlaces::NamesOf(m_topology)),
          m_seen(use ? use->types : std::set<TypeId>())
    {
    }

    std::vector<SettingDifference> Read()
    {
        const auto types = ExtensionTypes();
        for (const NodeId node : m_topology.Nodes())
        {
            const SettingWhere where{m_names[node.Value()], WordOf(node)};
            m_differences.AddPlace(where);
            ReadExtensions(node, where, types);
            for (const Ptr<Object>& object : ObjectsOfNode(m_fabric, node))
            {
                ReadObject(*object, where);
            }
            const auto ports = static_cast<uint32_t>(m_topology.GetLinksOf(node).size());
            for (uint32_t port = 0; port < ports; ++port)
            {
                ReadPort(node, port);
            }
            if (!m_topology.IsSwitch(node))
            {
                ReadQueuePairs(*m_fabric.GetRdma(m_topology.HostAt(node)), where);
            }
        }
        return m_differences.List();
    }

    /// After Read(): what queue pairs have and do not read. @param run of them
    /// @return it, with defaults of types of which there is no object
    std::vector<SettingDifference> ReadUnused(const SettingsOfRun& run)
    {
        const SettingWhere where{"queue pairs of flows", "queue pairs of flows"};
        m_unused.AddPlace(where);
        for (const auto& end : run.ends)
        {
            NoteUnused(*end, where);
            ReadPolicies(*end, where);
        }
        for (const TypeId& type : run.controls)
        {
            m_hasOthers = m_hasOthers || !m_seen.count(type); // such as of a script
            NoteSeen(type);
        }
        auto list = m_unused.List();
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            const TypeId type = TypeId::GetRegistered(i);
            if (type.GetGroupName() == "Lossless" && !m_seen.count(type) && IsRead(type))
            {
                AddNowhere(type, list);
            }
        }
        return list;
    }

    /// After ReadUnused(). @param one a setting that an object does not read @return whether a
    /// queue pair reads the same value, or may: those of scripts are not known
    bool IsReadByQueuePairs(const SettingDifference& one) const
    {
        TypeId type;
        const std::string owner = "ns3::" + one.name.substr(0, one.name.find('.'));
        const bool isOfQueuePairs =
            TypeId::LookupByNameFailSafe(owner, &type) &&
            (IsA(type, RdmaQueuePair::GetTypeId()) || IsA(type, RdmaCongestionOps::GetTypeId()) ||
             IsA(type, RdmaLossRecovery::GetTypeId()) || IsA(type, RdmaEntropyPolicy::GetTypeId()));
        return isOfQueuePairs && (m_hasOthers || m_read.count({one.name, one.value}));
    }

  private:
    /// @return whether all objects of a type that a fabric has are read here
    static bool IsRead(TypeId type)
    {
        const TypeId kinds[] = {QbbNetDevice::GetTypeId(),
                                QbbChannel::GetTypeId(),
                                TrafficClassMap::GetTypeId(),
                                EgressScheduler::GetTypeId(),
                                SwitchMmu::GetTypeId(),
                                SwitchExtension::GetTypeId(),
                                LoadBalancer::GetTypeId(),
                                NicWatchdog::GetTypeId(),
                                RdmaCongestionOps::GetTypeId()};
        return std::any_of(std::begin(kinds), std::end(kinds), [&](TypeId kind) {
            return IsA(type, kind);
        });
    }

    /// @param type of which there is no object @param list gets its defaults that are changed
    void AddNowhere(TypeId type, std::vector<SettingDifference>& list) const
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const auto info = type.GetAttribute(i);
            const std::string initial = ExactText(*info.originalInitialValue, info.checker);
            const std::string value = ExactText(*info.initialValue, info.checker);
            const std::string name = type.GetName() + "::" + info.name;
            if (value != initial && !m_fabric.GetOptions().IsOfProgram(name))
            {
                list.push_back({"nowhere",
                                NameOf(type, info),
                                initial,
                                value,
                                SettingState::NOWHERE,
                                "an object of " + type.GetName()});
            }
        }
    }

    /// There is an object of a type.
    void NoteSeen(TypeId type)
    {
        ns3::NoteSeen(type, m_seen);
    }

    /// Note what an object of queue pairs has and does not read.
    void NoteUnused(const Object& object, const SettingWhere& where)
    {
        NoteSeen(object.GetInstanceTypeId());
        ForEachAttribute(object.GetInstanceTypeId(), [&](TypeId type, const auto& info) {
            if (!FindAccessor<UsedAccessor>(PeekPointer(info.accessor)))
            {
                return;
            }
            const std::string text = ValueOf(object, info);
            if (const char* const need = NeedOf(object, type, info))
            {
                const auto initial = ExactText(*info.originalInitialValue, info.checker);
                m_unused.Note(NameOf(type, info), where, initial, text, need);
            }
            else
            {
                m_read.emplace(NameOf(type, info), text);
            }
        });
    }

    /// The same of the policies of a queue pair. @param end not connected
    void ReadPolicies(const RdmaQueuePair& end, const SettingWhere& where)
    {
        for (const char* name : {"CongestionControl", "LossRecovery", "Entropy"})
        {
            ObjectFactoryValue factory;
            end.GetAttribute(name, factory);
            NoteUnused(*factory.Get().Create<Object>(), where);
        }
    }

    /// @param type that declares the attribute @return what an object needs to read one of its
    /// attributes; null: it reads it, the run has read the same value, or the program has set it
    /// for all cases
    const char* NeedOf(const Object& object,
                       TypeId type,
                       const TypeId::AttributeInformation& info) const
    {
        if (m_fabric.GetOptions().IsOfProgram(type.GetName() + "::" + info.name))
        {
            return nullptr; // nobody has asked for just that
        }
        const auto* const used = FindAccessor<UsedAccessor>(PeekPointer(info.accessor));
        return used && !used->IsUsed(object) && !WasRead(object, type, info) ? used->GetNeed()
                                                                             : nullptr;
    }

    /// @param type that declares the attribute @return whether some object has read the value of an
    /// attribute in the run
    bool WasRead(const Object& object, TypeId type, const TypeId::AttributeInformation& info) const
    {
        return m_use && m_use->read.count({NameOf(type, info), ValueOf(object, info)});
    }

    /// @return the types of the extensions that some switch has
    std::set<std::string> ExtensionTypes() const
    {
        std::set<std::string> types;
        for (const SwitchId which : m_fabric.Switches())
        {
            const auto fabricSwitch = m_fabric.GetSwitch(which);
            for (uint32_t i = 0; i < fabricSwitch->GetNExtensions(); ++i)
            {
                types.insert(fabricSwitch->GetExtension(i)->GetInstanceTypeId().GetName());
            }
        }
        return types;
    }

    /// Which of these types of extensions a switch has.
    void ReadExtensions(NodeId node, const SettingWhere& where, const std::set<std::string>& types)
    {
        const SwitchId which = m_topology.SwitchAt(node);
        if (which.IsNone())
        {
            return;
        }
        std::map<std::string, uint32_t> counts;
        std::map<std::string, bool> hasActed;
        const auto fabricSwitch = m_fabric.GetSwitch(which);
        for (uint32_t i = 0; i < fabricSwitch->GetNExtensions(); ++i)
        {
            const auto extension = fabricSwitch->GetExtension(i);
            const std::string type = extension->GetInstanceTypeId().GetName();
            ++counts[type];
            hasActed[type] = hasActed[type] || extension->HasActed();
        }
        for (const std::string& type : types)
        {
            m_differences.Note("number of " + ShortName(type),
                               where,
                               "0",
                               TextOf(counts[type]),
                               m_isEnd && !hasActed[type] ? "something to do" : nullptr,
                               SettingState::IDLE);
        }
    }

    /// @return "leaf", "host"
    std::string WordOf(NodeId node) const
    {
        const std::string& name = m_names[node.Value()];
        return name.substr(0, name.find(' '));
    }

    /// @return a port, with "leaf to spine" as its group
    SettingWhere WhereOf(NodeId node, uint32_t port) const
    {
        const NodeId peer = m_topology.GetLink(m_topology.GetLinksOf(node)[port]).Peer(node);
        return {m_names[node.Value()] + " port " + std::to_string(port),
                WordOf(node) + " to " + WordOf(peer)};
    }

    void ReadPort(NodeId node, uint32_t port)
    {
        const SettingWhere where = WhereOf(node, port);
        m_differences.AddPlace(where);
        for (const Ptr<Object>& object : ObjectsOfPort(m_fabric, node, port))
        {
            ReadObject(*object, where);
        }
        m_differences.Note(
            "QbbNetDevice.EgressScheduler",
            where,
            StrictPriorityScheduler::GetTypeId().GetName(),
            m_fabric.GetDevice(node, port)->GetScheduler()->GetInstanceTypeId().GetName());
        ReadErrors(*m_fabric.GetDevice(node, port), where);
        const SwitchId which = m_topology.SwitchAt(node);
        if (!which.IsNone())
        {
            ReadPortLimits(*m_fabric.GetSwitch(which)->GetMmu(), port, where);
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                const std::string suffix = " class " + std::to_string(cls);
                ReadClass(*m_fabric.GetSwitch(which),
                          port,
                          cls,
                          {where.name + suffix, where.group + suffix});
            }
        }
    }

    /// What destroys frames that a port receives.
    void ReadErrors(const QbbNetDevice& device, const SettingWhere& where)
    {
        PointerValue value;
        device.GetAttribute("ReceiveErrorModel", value);
        const auto model = value.Get<ErrorModel>();
        const auto rate = DynamicCast<RateErrorModel>(model);
        std::string text = model ? model->GetInstanceTypeId().GetName() : "none";
        text += rate ? "[ErrorRate=" + TextOf(rate->GetRate()) + "]" : "";
        m_differences.Note("QbbNetDevice.ReceiveErrorModel", where, "none", text);
    }

    /// What the module's types say about an object.
    void ReadObject(const Object& object, const SettingWhere& where)
    {
        NoteSeen(object.GetInstanceTypeId());
        ForEachAttribute(object.GetInstanceTypeId(), [&](TypeId type, const auto& info) {
            ReadAttribute(object, type, info, where);
        });
    }

    void ReadAttribute(const Object& object,
                       TypeId type,
                       const TypeId::AttributeInformation& info,
                       const SettingWhere& where)
    {
        const bool isObject = dynamic_cast<const PointerChecker*>(PeekPointer(info.checker));
        const auto both = TypeId::ATTR_GET | TypeId::ATTR_SET;
        if (isObject || (info.flags & both) != both || !info.accessor->HasGetter())
        {
            return; // objects are read themselves
        }
        const Ptr<AttributeValue> value = info.checker->Create();
        info.accessor->Get(&object, *value);
        std::string initial = ExactText(*info.originalInitialValue, info.checker);
        std::string text = ExactText(*value, info.checker);
        if (dynamic_cast<const ObjectFactoryValue*>(PeekPointer(value)))
        {
            initial = WithoutDefaults(initial);
            text = WithoutDefaults(text);
        }
        const auto* const mmu = dynamic_cast<const SwitchMmu*>(&object);
        const auto* const bytes = dynamic_cast<const UintegerValue*>(PeekPointer(value));
        if (mmu && bytes && text != initial && info.name != "CellBytes")
        {
            const bool isBuffer = info.name == "BufferSize"; // rounded down
            text += Rounded(bytes->Get(), isBuffer, mmu->GetCellSize());
        }
        m_differences.Note(NameOf(type, info),
                           where,
                           initial,
                           text,
                           text == initial ? nullptr : NeedOf(object, type, info));
    }

    /// What a (port, class) of a switch has of its own.
    void ReadClass(const FabricSwitch& fabricSwitch,
                   uint32_t port,
                   uint32_t cls,
                   const SettingWhere& where)
    {
        m_differences.AddPlace(where);
        const SwitchMmu& mmu = *fabricSwitch.GetMmu();
        const MmuClassConfig& config = mmu.GetConfig(port, cls);
        const Ptr<QbbNetDevice> device = fabricSwitch.GetPort(static_cast<uint16_t>(port));
        const bool lossless = device->GetPausingGroups() & (1U << cls);
        const auto bytes = [&](const std::string& name, std::optional<uint64_t> value) {
            value = UnlessOfSwitch<UintegerValue>(mmu, name, value);
            const auto text = [&] {
                return TextOf(*value) + Rounded(*value, false, mmu.GetCellSize());
            };
            Own("SwitchMmu." + name, value ? std::optional(text()) : std::nullopt, where);
        };
        const auto share = [&](const std::string& name, const std::optional<double>& value) {
            Own("SwitchMmu." + name, UnlessOfSwitch<DoubleValue>(mmu, name, value), where);
        };
        share(lossless ? "Alpha" : "LossyAlpha", config.alpha);
        const uint64_t needed =
            HeadroomBytes(fabricSwitch.GetHeadroomLink(port), mmu.GetCellSize().Bytes());
        std::optional<uint64_t> headroom;
        if (config.kind == MmuClassConfig::LOSSLESS && config.headroomBytes != needed)
        {
            headroom = config.headroomBytes;
        }
        bytes("Headroom", headroom);
        share("EgressAlpha", config.egressAlpha);
        bytes("XonOffset", config.xonOffsetBytes);
        bytes("GuaranteedBytes", config.guaranteedBytes);
        bytes("EgressGuaranteedBytes", config.egressGuaranteedBytes);
        bytes("StaticThreshold", config.staticBytes);
        bytes("EgressStaticThreshold", config.egressStaticBytes);
        Own("SwitchMmu.ServicePool",
            config.pool ? std::optional(*config.pool) : std::nullopt,
            where);
        const auto marker = DynamicCast<WredEcnMarker>(fabricSwitch.GetEcnMarker());
        std::optional<std::string> curve;
        if (marker && marker->HasOwnCurve(port, cls))
        {
            const WredEcnMarker::Curve& own = marker->GetCurve(port, cls);
            const WredEcnMarker::Curve usual =
                marker->GetCurveOf(device->GetDataRate().GetBitRate());
            const bool isSame =
                own.kmin == usual.kmin && own.kmax == usual.kmax && own.pmax == usual.pmax;
            curve = isSame ? std::nullopt
                           : std::optional(TextOf(own.kmin) + ".." + TextOf(own.kmax) + " bytes, " +
                                           TextOf(own.pmax));
        }
        Own("WredEcnMarker.Kmin..Kmax, Pmax", curve, where);
    }

    /// @tparam V of the attribute @param mmu of a switch @param name of an attribute, or of what
    /// the switch has none of @param own value of a (port, class), or none @return it; none where
    /// the attribute says the same
    template <typename V, typename T>
    static std::optional<T> UnlessOfSwitch(const SwitchMmu& mmu,
                                           const std::string& name,
                                           const std::optional<T>& own)
    {
        V value;
        const bool isSame =
            own && mmu.GetAttributeFailSafe(name, value) && static_cast<T>(value.Get()) == *own;
        return isSame ? std::nullopt : own;
    }

    /// What a port of a switch has of its own.
    void ReadPortLimits(const SwitchMmu& mmu, uint32_t port, const SettingWhere& where)
    {
        const auto own = [&](const std::string& name, const std::optional<uint64_t>& value) {
            Own("SwitchMmu." + name,
                value ? std::optional(TextOf(*value) + Rounded(*value, false, mmu.GetCellSize()))
                      : std::nullopt,
                where);
        };
        own("PortLimit", mmu.GetPortConfig(port).limitBytes);
        own("EgressPortLimit", mmu.GetPortConfig(port).egressLimitBytes);
    }

    /// A value of a (port, class), or none.
    template <typename T>
    void Own(const std::string& name, const std::optional<T>& value, const SettingWhere& where)
    {
        const std::string none = "as the switch";
        m_differences.Note(name + " of ports", where, none, value ? TextOf(*value) : none);
    }

    /// What queue pairs of a host will be like.
    void ReadQueuePairs(const RdmaHw& rdma, const SettingWhere& where)
    {
        const TypeId type = RdmaQueuePair::GetTypeId();
        const auto parts = PartsOf(TextOf(rdma.GetQueuePairFactory()));
        const auto made = rdma.GetQueuePairFactory().Create<RdmaQueuePair>();
        for (const auto& part : parts)
        {
            TypeId::AttributeInformation info;
            if (type.LookupAttributeByName(part.first, &info))
            {
                ReadAttribute(*made, type, info, where); // the text of a factory has six digits
            }
        }
        ReadDefaults(*made, parts, where);
        m_unused.AddPlace(where);
        ReadPolicies(*made, where);
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i) // congestion control, loss recovery
        {
            const auto info = type.GetAttribute(i);
            std::string text = ExactText(*info.initialValue, info.checker);
            for (const auto& [name, given] : parts)
            {
                text = name == info.name ? given : text;
            }
            TypeId made;
            if (TypeId::LookupByNameFailSafe(text.substr(0, text.find('[')), &made))
            {
                ObjectFactoryValue factory;
                factory.DeserializeFromString(text, info.checker);
                ReadDefaults(*factory.Get().Create<Object>(), PartsOf(text), where);
            }
        }
    }

    /// Defaults that have changed, and will be those of objects that are not made yet.
    /// @param object one of them @param given what is said for them @param where they will be
    void ReadDefaults(const Object& object,
                      const std::vector<std::pair<std::string, std::string>>& given,
                      const SettingWhere& where)
    {
        NoteSeen(object.GetInstanceTypeId());
        ForEachAttribute(object.GetInstanceTypeId(), [&](TypeId type, const auto& info) {
            const auto isThis = [&info](const auto& each) { return each.first == info.name; };
            const auto initial = ExactText(*info.originalInitialValue, info.checker);
            const auto value = InForce(object, type, info);
            if (value != initial && std::none_of(given.begin(), given.end(), isThis))
            {
                const char* const need = NeedOf(object, type, info);
                m_differences.Note(NameOf(type, info), where, initial, value, need);
            }
        });
    }

    /// @param text of a factory @return it, without attributes that are said to be what they are by
    /// default
    static std::string WithoutDefaults(const std::string& text)
    {
        const std::string name = text.substr(0, text.find('['));
        TypeId type;
        std::string parts;
        for (const auto& [attribute, given] : PartsOf(text))
        {
            TypeId::AttributeInformation info;
            if (TypeId::LookupByNameFailSafe(name, &type) &&
                type.LookupAttributeByName(attribute, &info))
            {
                const Ptr<AttributeValue> value = info.checker->Create();
                if (value->DeserializeFromString(given, info.checker) &&
                    ExactText(*value, info.checker) ==
                        ExactText(*info.originalInitialValue, info.checker))
                {
                    continue;
                }
            }
            parts += (parts.empty() ? "" : "|") + attribute + "=" + given;
        }
        return parts.empty() ? name : name + "[" + parts + "]";
    }

    /// @param text "ns3::Type[A=1|B=ns3::Other[C=2|D=3]]" @return A and B with their values; the
    /// last of each, which is in force
    static std::vector<std::pair<std::string, std::string>> PartsOf(const std::string& text)
    {
        std::vector<std::pair<std::string, std::string>> parts;
        int depth = 0;
        std::string part;
        for (const char c : text)
        {
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            const bool ends = (c == '|' && depth == 1) || (c == ']' && depth == 0);
            if (!ends)
            {
                part = c == '[' && depth == 1 ? "" : part + c;
                continue;
            }
            const std::size_t equals = part.find('=');
            if (equals != std::string::npos)
            {
                const std::string name = part.substr(0, equals);
                parts.erase(std::remove_if(parts.begin(),
                                           parts.end(),
                                           [&](const auto& each) { return each.first == name; }),
                            parts.end());
                parts.emplace_back(name, part.substr(equals + 1));
            }
            part.clear();
        }
        return parts;
    }

    /// @param object just made @param type that declares the attribute @param info the attribute
    /// @return what objects of the run have had by default
    std::string InForce(const Object& object,
                        TypeId type,
                        const TypeId::AttributeInformation& info) const
    {
        const std::string name = type.GetName() + "::" + info.name;
        const auto before =
            m_use ? m_use->defaults.find(name) : AttributeDefaults::const_iterator();
        const bool hasChanged = m_use && before != m_use->defaults.end() &&
                                before->second != ExactText(*info.initialValue, info.checker);
        return (hasChanged ? before->second + ", and " : "") + ValueOf(object, info) +
               (hasChanged ? " for what was made after the change in the run" : "");
    }

    const FabricObjects& m_fabric;
    const SettingUse* m_use; //!< what the run has had; null: of no run
    bool m_isEnd;            //!< a run ends
    const FabricTopology& m_topology;
    std::vector<std::string> m_names; //!< by node
    GatheredSettings m_differences;
    GatheredSettings m_unused;                            //!< of the policies of queue pairs
    std::set<std::pair<std::string, std::string>> m_read; //!< name and value: a queue pair reads it
    bool m_hasOthers{false}; //!< queue pairs that are not those of flows
    std::set<TypeId> m_seen; //!< types of which there is an object, and their parents
};

/// FabricError for a fabric that is taken apart. @param fabric it
void
RequireAlive(const FabricObjects& fabric)
{
    if (fabric.IsDestroyed())
    {
        throw FabricError("the settings of a fabric after Simulator::Destroy()",
                          "make the fabric anew");
    }
}

} // namespace

AttributeDefaults
ReadDefaults()
{
    AttributeDefaults defaults;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        for (std::size_t k = 0; type.GetGroupName() == "Lossless" && k < type.GetAttributeN(); ++k)
        {
            const auto info = type.GetAttribute(k);
            defaults[type.GetName() + "::" + info.name] =
                ExactText(*info.initialValue, info.checker);
        }
    }
    return defaults;
}

void
NoteUse(const FabricObjects& fabric, const FabricPlaces& places, SettingUse& use)
{
    for (const FabricPlace& place : places.In(fabric.GetTopology()))
    {
        for (const Ptr<Object>& object : ObjectsAt(fabric, place))
        {
            NoteSeen(object->GetInstanceTypeId(), use.types);
            ForEachAttribute(object->GetInstanceTypeId(), [&](TypeId type, const auto& info) {
                const auto* const used = FindAccessor<UsedAccessor>(PeekPointer(info.accessor));
                if (used && used->IsUsed(*object))
                {
                    use.read.emplace(NameOf(type, info), ValueOf(*object, info));
                }
            });
        }
    }
}

std::vector<SettingDifference>
FindDifferences(const FabricObjects& fabric, const SettingUse* use)
{
    RequireAlive(fabric);
    return FabricReader(fabric, use).Read();
}

SettingReport
FindSettings(const FabricObjects& fabric, const SettingsOfRun& run)
{
    RequireAlive(fabric);
    FabricReader reader(fabric, run.use, true);
    SettingReport report{reader.Read(), reader.ReadUnused(run), {}};
    for (SettingDifference& one : report.differences)
    {
        if (one.state == SettingState::UNUSED && reader.IsReadByQueuePairs(one))
        {
            one.state = SettingState::IN_FORCE;
            one.need.clear();
        }
    }
    const auto isThere = [&report, &reader](const SettingDifference& unused) {
        return (unused.state == SettingState::UNUSED && reader.IsReadByQueuePairs(unused)) ||
               std::any_of(report.differences.begin(),
                           report.differences.end(),
                           [&unused](const SettingDifference& one) {
                               return one.state == SettingState::UNUSED &&
                                      one.name == unused.name && one.value == unused.value;
                           });
    };
    report.unused.erase(std::remove_if(report.unused.begin(), report.unused.end(), isThere),
                        report.unused.end());
    for (const SettingDifference& claim : run.claims)
    {
        if (claim.state == SettingState::OVERRIDDEN)
        {
            report.overridden.push_back(claim);
            continue;
        }
        for (SettingDifference& one : report.differences)
        {
            const bool isSame = one.value.substr(0, one.value.find(" (")) == claim.value;
            if (one.name == claim.name && isSame &&
                one.source.find(claim.source) == one.source.npos)
            {
                one.source += (one.source.empty() ? "" : ", ") + claim.source;
            }
        }
    }
    return report;
}

} // namespace ns3
