// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-keys.h"

#include "text-file.h"

#include <set>

namespace ns3
{
namespace
{

using Kind = HpccKey::Kind;
using Effect = HpccKey::Effect;

constexpr std::array<HpccKey, 52> KEYS{{
    {"ENABLE_QCN", Kind::FLAG, Effect::YES},
    {"USE_DYNAMIC_PFC_THRESHOLD", Kind::FLAG, Effect::UNLESS_1},
    {"CLAMP_TARGET_RATE", Kind::FLAG, Effect::YES},
    {"PAUSE_TIME", Kind::NUMBER, Effect::NO},
    {"DATA_RATE", Kind::RATE, Effect::NO},
    {"LINK_DELAY", Kind::TEXT, Effect::NO},
    {"PACKET_PAYLOAD_SIZE", Kind::COUNT, Effect::YES},
    {"L2_CHUNK_SIZE", Kind::COUNT, Effect::YES},
    {"L2_ACK_INTERVAL", Kind::COUNT, Effect::YES},
    {"L2_BACK_TO_ZERO", Kind::FLAG, Effect::YES},
    {"TOPOLOGY_FILE", Kind::TEXT, Effect::YES},
    {"FLOW_FILE", Kind::TEXT, Effect::YES},
    {"TRACE_FILE", Kind::TEXT, Effect::TRACE},
    {"TRACE_OUTPUT_FILE", Kind::TEXT, Effect::TRACE},
    {"ENABLE_TRACE", Kind::FLAG, Effect::UNLESS_0},
    {"FCT_OUTPUT_FILE", Kind::TEXT, Effect::YES},
    {"PFC_OUTPUT_FILE", Kind::TEXT, Effect::YES},
    {"SIMULATOR_STOP_TIME", Kind::NUMBER, Effect::YES},
    {"CC_MODE", Kind::COUNT, Effect::YES},
    {"ALPHA_RESUME_INTERVAL", Kind::NUMBER, Effect::YES},
    {"RATE_DECREASE_INTERVAL", Kind::NUMBER, Effect::YES},
    {"RP_TIMER", Kind::NUMBER, Effect::YES},
    {"EWMA_GAIN", Kind::SHARE, Effect::YES},
    {"FAST_RECOVERY_TIMES", Kind::COUNT, Effect::YES},
    {"RATE_AI", Kind::RATE, Effect::YES},
    {"RATE_HAI", Kind::RATE, Effect::YES},
    {"MIN_RATE", Kind::RATE, Effect::YES},
    {"DCTCP_RATE_AI", Kind::RATE, Effect::OTHER},
    {"ERROR_RATE_PER_LINK", Kind::SHARE, Effect::YES},
    {"HAS_WIN", Kind::FLAG, Effect::WINDOW},
    {"GLOBAL_T", Kind::FLAG, Effect::GLOBAL},
    {"VAR_WIN", Kind::FLAG, Effect::VARIABLE},
    {"FAST_REACT", Kind::FLAG, Effect::OTHER},
    {"U_TARGET", Kind::NUMBER, Effect::OTHER},
    {"MI_THRESH", Kind::COUNT, Effect::OTHER},
    {"INT_MULTI", Kind::COUNT, Effect::OTHER},
    {"MULTI_RATE", Kind::FLAG, Effect::OTHER},
    {"SAMPLE_FEEDBACK", Kind::FLAG, Effect::OTHER},
    {"PINT_LOG_BASE", Kind::NUMBER, Effect::OTHER},
    {"PINT_PROB", Kind::SHARE, Effect::OTHER},
    {"RATE_BOUND", Kind::FLAG, Effect::YES},
    {"ACK_HIGH_PRIO", Kind::FLAG, Effect::YES},
    {"LINK_DOWN", Kind::LINK, Effect::YES},
    {"KMAX_MAP", Kind::MAP, Effect::YES},
    {"KMIN_MAP", Kind::MAP, Effect::YES},
    {"PMAX_MAP", Kind::MAP, Effect::YES},
    {"BUFFER_SIZE", Kind::NUMBER, Effect::YES},
    {"QLEN_MON_FILE", Kind::TEXT, Effect::YES},
    {"QLEN_MON_START", Kind::COUNT, Effect::YES},
    {"QLEN_MON_END", Kind::COUNT, Effect::YES},
    {"QLEN_MON_DUMP_INTERVAL", Kind::COUNT, Effect::NO},
    {"QLEN_MON_INTERVAL", Kind::COUNT, Effect::NO},
}};

/// Check that a value reads as its kind says; text is taken as it is.
void
CheckValue(const TextFile& file, std::size_t field, Kind kind, const std::string& key)
{
    constexpr double most = 1e15;
    switch (kind)
    {
    case Kind::TEXT:
        break;
    case Kind::NUMBER:
        file.Real(field, key, 0, most);
        break;
    case Kind::COUNT:
        file.Uint(field, key, static_cast<uint64_t>(most));
        break;
    case Kind::FLAG:
        file.Uint(field, key, 1);
        break;
    case Kind::SHARE:
        file.Real(field, key, 0, 1);
        break;
    case Kind::RATE:
        file.Rate(field, key);
        break;
    case Kind::MAP:
    case Kind::LINK:
        break; // several values: CheckLine()
    }
}

} // namespace

const std::array<HpccKey, 52>&
HpccKey::All()
{
    return KEYS;
}

const HpccKey*
HpccKey::Find(const std::string& text)
{
    for (const HpccKey& key : KEYS)
    {
        if (text == key.name)
        {
            return &key;
        }
    }
    return nullptr;
}

bool
HpccKey::CheckLine(const TextFile& file) const
{
    const std::string key = name;
    if (kind == Kind::MAP)
    {
        const uint64_t pairs = file.Uint(1, key + ": number of speeds", 1000);
        const std::size_t announced = 2 + 2 * pairs;
        if (file.Fields().size() < announced)
        {
            file.RequireFields(announced, key + ", a number n, and n times speed and value");
        }
        std::set<uint64_t> speeds;
        for (std::size_t i = 0; i < pairs; ++i)
        {
            const uint64_t speed = file.Uint(2 + 2 * i, key + ": speed in bit/s");
            if (!speeds.insert(speed).second)
            {
                file.Fail(key + " has " + std::to_string(speed) + " bit/s twice",
                          "each speed has one value");
            }
            file.Real(3 + 2 * i, key + ": value", 0, key == "PMAX_MAP" ? 1 : 1e9);
        }
        return file.Fields().size() > announced;
    }
    if (kind == Kind::LINK)
    {
        file.RequireFields(4, key + ", time in us after 2 s, node, node");
        file.Uint(1, key + ": time in us");
        file.Uint(2, key + ": node");
        file.Uint(3, key + ": node");
        return false;
    }
    file.RequireFields(2, key + " and its value");
    CheckValue(file, 1, kind, key);
    return false;
}

} // namespace ns3
