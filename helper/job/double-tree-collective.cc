// SPDX-License-Identifier: GPL-2.0-only
#include "double-tree-collective.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <array>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DoubleTreeCollective);

namespace
{

constexpr uint32_t TREES = 2;

/// @param number of a rank in tree 0 @param ranks how many @return its place there
DoubleTreeCollective::Place
PlaceInFirst(uint32_t number, uint32_t ranks)
{
    DoubleTreeCollective::Place place;
    if (number == 0)
    {
        uint32_t child = 1;
        while (2 * child < ranks)
        {
            child *= 2;
        }
        place.children.push_back(child);
        return place;
    }
    const uint32_t bit = number & (~number + 1);
    const uint32_t up = (number - bit) | (2 * bit);
    place.parent = up < ranks ? up : number - bit;
    if (bit > 1)
    {
        place.children.push_back(number - bit / 2);
        uint32_t right = bit / 2;
        while (right > 0 && number + right >= ranks)
        {
            right /= 2;
        }
        if (right > 0)
        {
            place.children.push_back(number + right);
        }
    }
    return place;
}

/// One rank's part.
class DoubleTreePart : public CollectivePart
{
  public:
    /// @param shape of the collective @param chunks of each tree
    DoubleTreePart(const CollectiveShape& shape, uint32_t chunks)
        : m_shape(shape),
          m_chunks(chunks)
    {
        for (uint32_t tree = 0; tree < TREES; ++tree)
        {
            m_places[tree] = DoubleTreeCollective::PlaceOf(shape.ranks, shape.position, tree);
        }
    }

    uint64_t GetMostMessages() const override
    {
        uint64_t most = 0;
        for (uint32_t tree = 0; tree < TREES; ++tree)
        {
            const DoubleTreeCollective::Place& place = m_places[tree];
            const uint64_t chunks =
                std::min<uint64_t>(m_chunks, ShareOf(m_shape.bytes, tree, TREES));
            const bool hasParent = place.parent != DoubleTreeCollective::NONE;
            most += chunks * (place.children.size() + (hasParent ? 1 : 0));
        }
        return most;
    }

    void Start(CollectivePort& port) override
    {
        for (uint32_t tree = 0; tree < TREES; ++tree)
        {
            m_missing[tree].assign(m_chunks, m_places[tree].children.size());
        }
        for (uint32_t chunk = 0; chunk < m_chunks; ++chunk)
        {
            for (uint32_t tree = 0; tree < TREES; ++tree)
            {
                const auto& place = m_places[tree];
                const uint64_t bytes = BytesOf(tree, chunk);
                if (bytes == 0)
                {
                    continue;
                }
                for (const uint32_t child : place.children)
                {
                    port.Receive(child, bytes, LabelOf(tree, chunk, false), true);
                }
                if (place.parent != DoubleTreeCollective::NONE)
                {
                    port.Receive(place.parent, bytes, LabelOf(tree, chunk, true), false);
                    if (place.children.empty())
                    {
                        port.Send(place.parent, bytes, LabelOf(tree, chunk, false), false);
                    }
                }
            }
        }
    }

    void Received(CollectivePort& port, [[maybe_unused]] uint32_t from, uint64_t label) override
    {
        const bool isDown = label & 1;
        const auto tree = static_cast<uint32_t>(label >> 1 & 1);
        const auto chunk = static_cast<uint32_t>(label >> 2);
        const auto& place = m_places[tree];
        const bool isRoot = place.parent == DoubleTreeCollective::NONE;
        if (!isDown && --m_missing[tree][chunk] > 0)
        {
            return;
        }
        if (!isDown && !isRoot)
        {
            port.Send(place.parent, BytesOf(tree, chunk), label, false);
            return;
        }
        for (const uint32_t child : place.children)
        {
            port.Send(child, BytesOf(tree, chunk), LabelOf(tree, chunk, true), false);
        }
    }

  private:
    static uint64_t LabelOf(uint32_t tree, uint32_t chunk, bool isDown)
    {
        return uint64_t{chunk} << 2 | tree << 1 | (isDown ? 1 : 0);
    }

    /// @param tree which @param chunk of it @return its length
    uint64_t BytesOf(uint32_t tree, uint32_t chunk) const
    {
        return ShareOf(ShareOf(m_shape.bytes, tree, TREES), chunk, m_chunks);
    }

    CollectiveShape m_shape;
    uint32_t m_chunks;
    std::array<DoubleTreeCollective::Place, TREES> m_places;
    /// By tree and chunk: children from which it has not come.
    std::array<std::vector<std::size_t>, TREES> m_missing;
};

} // namespace

TypeId
DoubleTreeCollective::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DoubleTreeCollective")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("LosslessJobs")
                            .AddConstructor<DoubleTreeCollective>()
                            .AddAttribute("Chunks",
                                          "Messages into which the data of each tree is cut",
                                          UintegerValue(16),
                                          MakeUintegerAccessor(&DoubleTreeCollective::m_chunks),
                                          MakeUintegerChecker<uint32_t>(1, 1 << 20));
    return tid;
}

bool
DoubleTreeCollective::Does(CollectiveType type) const
{
    return type == CollectiveType::ALL_REDUCE;
}

std::unique_ptr<CollectivePart>
DoubleTreeCollective::Make(const CollectiveShape& shape) const
{
    return std::make_unique<DoubleTreePart>(shape, m_chunks);
}

DoubleTreeCollective::Place
DoubleTreeCollective::PlaceOf(uint32_t ranks, uint32_t position, uint32_t tree)
{
    if (tree == 0)
    {
        return PlaceInFirst(position, ranks);
    }
    // The second tree is the first one's mirror, or where that leaves a rank inside twice, shifted.
    const bool isEven = ranks % 2 == 0;
    const auto real = [&](uint32_t number) {
        return isEven ? ranks - 1 - number : (number + 1) % ranks;
    };
    Place place =
        PlaceInFirst(isEven ? ranks - 1 - position : (position + ranks - 1) % ranks, ranks);
    place.parent = place.parent == NONE ? NONE : real(place.parent);
    std::transform(place.children.begin(), place.children.end(), place.children.begin(), real);
    return place;
}

} // namespace ns3
