// SPDX-License-Identifier: GPL-2.0-only
#include "effective-pmax.h"

#include "text-columns.h"

#include "ns3/fabric-frame.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

double
EffectivePmax(double packetsPerSecond, const Time& cnpInterval)
{
    return std::min(1.0, 1 / (packetsPerSecond * cnpInterval.GetSeconds())); // 1 over 0 is infinite
}

void
PrintEffectivePmax(std::ostream& stream,
                   const HeadroomCases& links,
                   uint32_t flows,
                   const Time& cnpInterval)
{
    const auto whole = [](double number) {
        return WithCommas(static_cast<uint64_t>(std::llround(number)));
    };
    std::vector<std::vector<std::string>> lines{
        {"rate", "MTU", "flows", "packets of a flow", "its CNPs at most", "effective Pmax"},
        {"Gb/s", "B", "", "1/s", "1/s", "%"}};
    for (const DataRate& rate : links.rates)
    {
        for (const uint32_t mtu : links.mtus)
        {
            HeadroomCase input;
            input.rate = rate;
            input.mtuBytes = mtu;
            const HeadroomLink link = LinkOf(input);
            const double wireBits = 8.0 * (link.maxFrameBytes + ETHERNET_GAP_BYTES);
            const double packets = static_cast<double>(link.bitsPerSecond) / wireBits / flows;
            const double pmax = EffectivePmax(packets, cnpInterval);
            std::ostringstream percent;
            percent << std::fixed << std::setprecision(3) << 100 * pmax;
            lines.push_back({GigabitsOf(rate),
                             std::to_string(mtu),
                             std::to_string(flows),
                             whole(packets),
                             whole(pmax * packets),
                             percent.str()});
        }
    }
    PrintColumns(stream, lines);
}

} // namespace ns3
