// SPDX-License-Identifier: GPL-2.0-only
#include "border-policy.h"

#include "ether-types.h"
#include "fabric-switch.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/used-accessor.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("BorderPolicy");

NS_OBJECT_ENSURE_REGISTERED(BorderPolicy);

namespace
{

constexpr uint32_t DSCPS = 64;

/// What counts frames, by action.
constexpr uint64_t BorderPolicy::Counters::* COUNTS[] = {
    &BorderPolicy::Counters::permitted,
    &BorderPolicy::Counters::marked,
    &BorderPolicy::Counters::untagged,
    &BorderPolicy::Counters::dropped,
};

} // namespace

// ---- reading rules

/// Reads the text of one rule, word by word.
class BorderPolicy::Reader
{
  public:
    /// @param number of the rule, counted from 1 @param text of the rule
    Reader(std::size_t number, const std::string& text)
        : m_number(number),
          m_text(text),
          m_words(text)
    {
    }

    /// @return the rule; throws std::invalid_argument if it cannot be read
    Rule Read()
    {
        Rule rule;
        bool isDone = false;
        bool isFirst = true;
        for (std::string word; m_words >> word; isFirst = false)
        {
            if (isDone)
            {
                Refuse("\"" + word + "\" stands behind the action", "end the rule with \";\"");
            }
            isDone = ReadAction(word, rule);
            if (!isDone)
            {
                CheckOnce(word, rule);
            }
            if (!isDone && !ReadMatch(word, rule) && !(word == "any" && isFirst))
            {
                Refuse("\"" + word + "\" is unknown",
                       "it may be any, udp, tcp, protocol, dscp, from, to, permit, set, untag or "
                       "drop");
            }
        }
        if (!isDone)
        {
            Refuse("it has no action", "end it with permit, drop, untag or set dscp NUMBER");
        }
        if (rule.from && rule.to && rule.from->ipVersion != rule.to->ipVersion)
        {
            Refuse("no frame has addresses of IPv4 and of IPv6",
                   "write from and to of one version of IP");
        }
        return rule;
    }

  private:
    /// Throw std::invalid_argument. @param what is wrong @param right what would be right
    [[noreturn]] void Refuse(const std::string& what, const std::string& right) const
    {
        throw std::invalid_argument("BorderPolicy: rule " + std::to_string(m_number) + " \"" +
                                    m_text + "\": " + what + "; " + right);
    }

    /// @return the next word, empty at the end
    std::string Next()
    {
        std::string word;
        m_words >> word;
        return word;
    }

    /// @param name of the value @param max largest one @return the next word, a number
    uint32_t NextNumber(const std::string& name, uint32_t max)
    {
        const std::string word = Next();
        const auto number = PortList::ToNumber(word, max);
        if (!number)
        {
            Refuse(name + " \"" + word + "\" is no number",
                   "write one from 0 to " + std::to_string(max));
        }
        return *number;
    }

    /// Refuse a word that says again what words before it say, as all of them must hold.
    /// @param word of the rule @param rule what the words before it say
    void CheckOnce(const std::string& word, const Rule& rule) const
    {
        const bool isProtocol = word == "udp" || word == "tcp" || word == "protocol";
        if (isProtocol && rule.protocol)
        {
            Refuse("\"" + word + "\" is a second protocol, and all words must hold",
                   "write a rule for each");
        }
        if (word == "dscp" && rule.dscps)
        {
            Refuse("\"dscp\" is there twice, and all words must hold",
                   "write one list, such as dscp 10,24");
        }
        if ((word == "from" && rule.from) || (word == "to" && rule.to))
        {
            Refuse("\"" + word + "\" is there twice, and all words must hold",
                   "write a rule for each");
        }
    }

    /// @param word of the rule @param rule gets what it does @return whether the word is an action
    bool ReadAction(const std::string& word, Rule& rule)
    {
        if (word == "permit" || word == "drop" || word == "untag")
        {
            rule.action = word == "drop"     ? BorderPolicy::DROP
                          : word == "permit" ? BorderPolicy::PERMIT
                                             : BorderPolicy::UNTAG;
            return true;
        }
        if (word != "set")
        {
            return false;
        }
        if (Next() != "dscp")
        {
            Refuse("it can set nothing but a DSCP", "write such as set dscp 0");
        }
        rule.action = BorderPolicy::SET;
        rule.dscp = static_cast<uint8_t>(NextNumber("DSCP", DSCPS - 1));
        return true;
    }

    /// @param word of the rule @param rule gets what it matches @return whether the word says that
    bool ReadMatch(const std::string& word, Rule& rule)
    {
        if (word == "udp" || word == "tcp")
        {
            rule.protocol = word == "udp" ? PROTOCOL_UDP : PROTOCOL_TCP;
            const auto place = m_words.tellg();
            if (const auto port = PortList::ToNumber(Next(), 65535))
            {
                rule.port = static_cast<uint16_t>(*port);
                return true;
            }
            m_words.clear();
            m_words.seekg(place);
            return true;
        }
        if (word == "protocol")
        {
            rule.protocol = static_cast<uint8_t>(NextNumber("protocol", 255));
            return true;
        }
        if (word == "dscp")
        {
            const std::string text = Next();
            const auto numbers = PortList::ToNumbers(text, DSCPS - 1);
            if (!numbers)
            {
                Refuse("DSCP \"" + text + "\" cannot be read", "write such as 46 or 0-7,48");
            }
            for (const uint32_t dscp : *numbers)
            {
                rule.dscps |= uint64_t{1} << dscp;
            }
            return true;
        }
        if (word == "from" || word == "to")
        {
            (word == "from" ? rule.from : rule.to) = ReadPrefix(Next());
            return true;
        }
        return false;
    }

    /// @param text such as "10.0.0.0/8" or "2001:db8::/32" @return the prefix
    Prefix ReadPrefix(const std::string& text) const
    {
        Prefix prefix;
        const std::size_t slash = text.find('/');
        const std::string address = text.substr(0, slash);
        prefix.ipVersion = address.find(':') == std::string::npos ? 4 : 6;
        const uint32_t most = prefix.ipVersion == 4 ? 32 : 128;
        const auto bits =
            slash == std::string::npos ? most : PortList::ToNumber(text.substr(slash + 1), most);
        const std::size_t dots = std::count(address.begin(), address.end(), '.');
        const bool isText =
            address.find_first_not_of("0123456789abcdefABCDEF.:") == std::string::npos;
        const bool isAddress = prefix.ipVersion == 6 ? isText : dots == 3 && isText;
        if (!bits || !isAddress || !ReadAddress(address, prefix))
        {
            Refuse("\"" + text + "\" is no prefix", "write such as 10.0.1.0/24 or 2001:db8::/32");
        }
        prefix.bits = static_cast<uint8_t>(*bits);
        return prefix;
    }

    /// @param text an address @param prefix gets it @return whether it is one
    static bool ReadAddress(const std::string& text, Prefix& prefix)
    {
        if (prefix.ipVersion == 4)
        {
            std::istringstream parts(text + '.'); // an empty last part is a part
            for (std::string part; std::getline(parts, part, '.');)
            {
                const auto number = PortList::ToNumber(part, 255);
                if (!number)
                {
                    return false;
                }
                prefix.words[3] = prefix.words[3] << 8 | *number;
            }
            return true;
        }
        // Stock code aborts the program where it cannot read an address: be strict before.
        const std::size_t shortened = text.find("::");
        uint32_t groups = 0;
        std::istringstream parts(text);
        for (std::string part; std::getline(parts, part, ':');)
        {
            groups += !part.empty();
            if (part.size() > 4 || part.find('.') != std::string::npos)
            {
                return false;
            }
        }
        const bool isCut = [&text] { // a colon at an end that is none of "::"
            const std::size_t last = text.size() - 1;
            return (text[0] == ':' && text.compare(0, 2, "::") != 0) ||
                   (text[last] == ':' && (last < 1 || text[last - 1] != ':'));
        }();
        if (isCut)
        {
            return false;
        }
        const bool isLong = shortened == std::string::npos;
        if ((isLong ? groups != 8 : groups > 7) || text.find(":::") != std::string::npos ||
            (!isLong && text.find("::", shortened + 1) != std::string::npos))
        {
            return false;
        }
        std::array<uint8_t, 16> bytes{};
        Ipv6Address(text.c_str()).GetBytes(bytes.data());
        for (std::size_t i = 0; i < bytes.size(); ++i)
        {
            prefix.words[i / 4] = prefix.words[i / 4] << 8 | bytes[i];
        }
        return true;
    }

    std::size_t m_number;
    std::string m_text;
    std::istringstream m_words;
};

void
BorderPolicy::SetRules(const std::string& text)
{
    NS_LOG_FUNCTION(this << text);
    std::vector<Rule> rules;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ';');)
    {
        part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
        part.erase(part.find_last_not_of(' ') + 1);
        if (part.empty() && parts.eof())
        {
            break; // behind the last ";"
        }
        const std::size_t number = rules.size() + 1;
        if (!rules.empty() && rules.back().IsForAll())
        {
            throw std::invalid_argument("BorderPolicy: rule " + std::to_string(number) + " \"" +
                                        part + "\" is never reached, as the one before matches " +
                                        "all frames; put it before that");
        }
        const Rule rule = Reader(number, part).Read();
        const auto before = std::find_if(rules.begin(), rules.end(), [&rule](const Rule& other) {
            return other.Has(rule);
        });
        if (before != rules.end())
        {
            throw std::invalid_argument("BorderPolicy: rule " + std::to_string(number) + " \"" +
                                        part + "\" is never reached, as rule " +
                                        std::to_string(before - rules.begin() + 1) +
                                        " matches all its frames; put it before that");
        }
        rules.push_back(rule);
    }
    m_rules = std::move(rules);
    m_rulesText = text;
    m_matches.assign(m_rules.size(), 0);
}

std::string
BorderPolicy::GetRules() const
{
    return m_rulesText;
}

void
BorderPolicy::SetPorts(const std::string& text)
{
    NS_LOG_FUNCTION(this << text);
    m_ports.SetText(text);
}

std::string
BorderPolicy::GetPorts() const
{
    return m_ports.GetText();
}

// ---- matching

bool
BorderPolicy::Prefix::Has(uint8_t version, const std::array<uint32_t, 3>& high, uint32_t low) const
{
    if (version != ipVersion)
    {
        return false;
    }
    const std::array<uint32_t, 4> address{high[0], high[1], high[2], low};
    uint32_t left = bits;
    for (std::size_t i = version == 4 ? 3 : 0; i < address.size() && left > 0; ++i)
    {
        const uint32_t here = std::min(left, 32U);
        if ((address[i] ^ words[i]) >> (32 - here))
        {
            return false;
        }
        left -= here;
    }
    return true;
}

bool
BorderPolicy::Prefix::Has(const Prefix& other) const
{
    return bits <= other.bits &&
           Has(other.ipVersion, {other.words[0], other.words[1], other.words[2]}, other.words[3]);
}

bool
BorderPolicy::Rule::Has(const Rule& other) const
{
    const auto has = [](const std::optional<Prefix>& mine, const std::optional<Prefix>& its) {
        return !mine || (its && mine->Has(*its));
    };
    return (!protocol || protocol == other.protocol) && (!port || port == other.port) &&
           (!dscps || !~dscps || (other.dscps && !(other.dscps & ~dscps))) &&
           has(from, other.from) && has(to, other.to);
}

bool
BorderPolicy::Rule::Matches(const Frame& frame) const
{
    const uint8_t frameProtocol = frame.kind == FrameKind::ROCE ? PROTOCOL_UDP : frame.protocol;
    return (!protocol || *protocol == frameProtocol) && (!port || *port == frame.dstPort) &&
           (!dscps || (dscps >> frame.dscp & 1)) &&
           (!from || from->Has(frame.ipVersion, frame.srcHigh, frame.src)) &&
           (!to || to->Has(frame.ipVersion, frame.dstHigh, frame.dst));
}

// ---- the extension

TypeId
BorderPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::BorderPolicy")
            .SetParent<SwitchExtension>()
            .SetGroupName("Lossless")
            .AddConstructor<BorderPolicy>()
            .AddAttribute(
                "Rules",
                "Ordered rules, with \";\" between them; the first that matches a frame "
                "decides. A rule is any, or some of udp [PORT], tcp [PORT], protocol "
                "NUMBER, dscp LIST, from PREFIX and to PREFIX, all of which must hold, "
                "and then permit, drop, untag or set dscp NUMBER, such as \"udp 4791 dscp 46,48 "
                "permit; any set dscp 0\". PORT is a destination port.",
                StringValue(""),
                MakeLive(MakeStringAccessor(&BorderPolicy::SetRules, &BorderPolicy::GetRules),
                         &BorderPolicy::SettingChanged),
                MakeStringChecker())
            .AddAttribute("Ports",
                          "Ports of the switch at which the rules hold for frames that arrive, "
                          "such as \"0-3,7\"; empty: all",
                          StringValue(""),
                          UsedWhen(MakeLive(MakeStringAccessor(&BorderPolicy::SetPorts,
                                                               &BorderPolicy::GetPorts),
                                            &BorderPolicy::SettingChanged),
                                   &BorderPolicy::HasRules,
                                   "Rules"),
                          MakeStringChecker())
            .AddTraceSource("Match",
                            "A rule has matched a frame: number of the rule, counted from 0, and "
                            "the frame, with its new DSCP.",
                            MakeTraceSourceAccessor(&BorderPolicy::m_matchTrace),
                            "ns3::BorderPolicy::MatchTracedCallback");
    return tid;
}

uint32_t
BorderPolicy::GetHooks() const
{
    const bool drops = std::any_of(m_rules.begin(), m_rules.end(), [](const Rule& rule) {
        return rule.action == DROP;
    });
    return m_rules.empty() ? 0 : ON_ARRIVAL | (drops ? ON_ROUTE | ON_UNROUTED : 0);
}

void
BorderPolicy::Check(FabricSwitch& owner)
{
    m_ports.Require(owner.GetNPorts());
}

void
BorderPolicy::Start(FabricSwitch& owner)
{
    NS_LOG_FUNCTION(this << m_rulesText << m_ports.GetText());
    Check(owner);
    m_owner = &owner;
}

void
BorderPolicy::Arrived(Frame& frame, uint32_t inPort)
{
    m_drops = false;
    if (!m_ports.Has(inPort))
    {
        return;
    }
    for (std::size_t i = 0; i < m_rules.size(); ++i)
    {
        const Rule& rule = m_rules[i];
        if (!rule.Matches(frame))
        {
            continue;
        }
        ++m_matches[i];
        ++(m_counters.*COUNTS[rule.action]);
        m_drops = rule.action == DROP;
        if (Mark(rule, frame))
        {
            m_owner->Reclassify(frame);
        }
        m_matchTrace(static_cast<uint32_t>(i), frame);
        return;
    }
}

void
BorderPolicy::Preview(Frame& frame, uint32_t inPort) const
{
    const auto rule = std::find_if(m_rules.begin(), m_rules.end(), [&frame](const Rule& one) {
        return one.Matches(frame);
    });
    if (m_ports.Has(inPort) && rule != m_rules.end())
    {
        Mark(*rule, frame);
    }
}

bool
BorderPolicy::Mark(const Rule& rule, Frame& frame)
{
    if (rule.action == SET && rule.dscp != frame.dscp)
    {
        NS_LOG_LOGIC("port " << frame.inPort << ": DSCP " << +frame.dscp << " -> " << +rule.dscp);
        frame.dscp = rule.dscp;
        return true;
    }
    else if (rule.action == UNTAG && frame.tagged)
    {
        frame.RemoveTag();
        return true;
    }
    return false;
}

SwitchExtension::Verdict
BorderPolicy::Routed(Frame& /* frame */, uint32_t /* outPort */)
{
    // The frame is the one of Arrived(), which follows at once.
    return m_drops ? Verdict{Verdict::DROP, DropReason::BORDER_POLICY} : Verdict{};
}

bool
BorderPolicy::Unrouted(Frame* frame)
{
    if (m_drops)
    {
        m_owner->Refuse(frame, DropReason::BORDER_POLICY);
    }
    return m_drops;
}

} // namespace ns3
