// SPDX-License-Identifier: GPL-2.0-only
#include "training-model.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"

#include <numeric>

namespace ns3
{

namespace
{

constexpr TrainingModel::Family GPT = TrainingModel::GPT;
constexpr TrainingModel::Family LLAMA = TrainingModel::LLAMA;

/// @return the presets
const std::vector<TrainingModel>&
AllPresets()
{
    // name, family, L, h, f, n, k_v, V, s, E, k
    static const std::vector<TrainingModel> presets{
        {"gpt-3-13b", GPT, 40, 5120, 20480, 40, 40, 50257, 2048, 1, 1},
        {"gpt-3-175b", GPT, 96, 12288, 49152, 96, 96, 50257, 2048, 1, 1},
        {"llama-2-7b", LLAMA, 32, 4096, 11008, 32, 32, 32000, 4096, 1, 1},
        {"llama-2-13b", LLAMA, 40, 5120, 13824, 40, 40, 32000, 4096, 1, 1},
        {"llama-2-70b", LLAMA, 80, 8192, 28672, 64, 8, 32000, 4096, 1, 1},
        {"llama-3-8b", LLAMA, 32, 4096, 14336, 32, 8, 128256, 8192, 1, 1},
        {"llama-3-70b", LLAMA, 80, 8192, 28672, 64, 8, 128256, 8192, 1, 1},
        {"llama-3-405b", LLAMA, 126, 16384, 53248, 128, 8, 128256, 8192, 1, 1},
        {"mixtral-8x7b", LLAMA, 32, 4096, 14336, 32, 8, 32000, 4096, 8, 2}};
    return presets;
}

} // namespace

uint64_t
TrainingModel::Sum(const std::vector<uint64_t>& sizes)
{
    return std::accumulate(sizes.begin(), sizes.end(), uint64_t{0});
}

TrainingModel
TrainingModel::Preset(const std::string& name)
{
    for (const TrainingModel& model : AllPresets())
    {
        if (model.name == name)
        {
            return model;
        }
    }
    throw FabricError("there is no model \"" + name + "\"",
                      FabricText::DidYouMean(name, Presets()));
}

std::vector<std::string>
TrainingModel::Presets()
{
    std::vector<std::string> names;
    for (const TrainingModel& model : AllPresets())
    {
        names.push_back(model.name);
    }
    return names;
}

void
TrainingModel::Check() const
{
    constexpr uint64_t most = 1 << 24; // so that products fit into 64 bits
    constexpr uint64_t mostLayers = 1 << 16;

    struct Limit
    {
        const char* what;
        uint64_t value;
        uint64_t most;
    };

    const std::string model = "model " + (name.empty() ? std::string("without name") : name);
    for (const Limit& limit : {Limit{"layers", layers, mostLayers},
                               Limit{"hidden", hidden, most},
                               Limit{"feedForward", feedForward, most},
                               Limit{"heads", heads, hidden},
                               Limit{"keyValueHeads", keyValueHeads, heads},
                               Limit{"vocabulary", vocabulary, most},
                               Limit{"sequence", sequence, most},
                               Limit{"experts", experts, mostLayers},
                               Limit{"expertsOfAToken", expertsOfAToken, experts}})
    {
        if (limit.value == 0 || limit.value > limit.most)
        {
            throw FabricError(model + ": " + limit.what + " is " + std::to_string(limit.value),
                              "it must be 1 to " + std::to_string(limit.most));
        }
    }
    if (hidden % heads || heads % keyValueHeads)
    {
        throw FabricError(model + ": hidden " + std::to_string(hidden) + ", heads " +
                              std::to_string(heads) + ", keyValueHeads " +
                              std::to_string(keyValueHeads),
                          "each must be a multiple of the next");
    }
    const auto real = [](uint64_t number) { return static_cast<double>(number); };
    const double parameters =
        real(layers) * real(hidden) * (4 * real(hidden) + 3 * real(feedForward) * real(experts)) +
        real(hidden) * (2 * real(vocabulary) + real(sequence));
    if (parameters > 0x1p50)
    {
        throw FabricError(model + ": more than 2^50 parameters");
    }
    if (family == GPT && (experts > 1 || keyValueHeads != heads || feedForward != 4 * hidden))
    {
        throw FabricError(model + ": a model of GPT has one expert, keyValueHeads as heads, and "
                                  "feedForward four times hidden");
    }
}

std::vector<uint64_t>
TrainingModel::DenseParameters() const
{
    const uint64_t square = hidden * hidden;
    if (family == GPT)
    {
        return {hidden,
                hidden,
                3 * square,
                3 * hidden,
                square,
                hidden,
                hidden,
                hidden,
                4 * square,
                4 * hidden,
                4 * square,
                hidden};
    }
    const uint64_t keys = square / heads * keyValueHeads;
    std::vector<uint64_t> sizes{hidden, square, keys, keys, square, hidden};
    const uint64_t matrix = hidden * feedForward;
    const std::vector<uint64_t> forward =
        experts > 1 ? std::vector<uint64_t>{experts * hidden} // the router
                    : std::vector<uint64_t>{matrix, matrix, matrix};
    sizes.insert(sizes.end(), forward.begin(), forward.end());
    return sizes;
}

std::vector<uint64_t>
TrainingModel::ExpertParameters() const
{
    const uint64_t matrix = hidden * feedForward;
    return experts > 1 ? std::vector<uint64_t>{matrix, matrix, matrix} : std::vector<uint64_t>{};
}

std::vector<uint64_t>
TrainingModel::FirstParameters() const
{
    return family == GPT ? std::vector<uint64_t>{vocabulary * hidden, sequence * hidden}
                         : std::vector<uint64_t>{vocabulary * hidden};
}

std::vector<uint64_t>
TrainingModel::LastParameters() const
{
    return family == GPT ? std::vector<uint64_t>{hidden, hidden}
                         : std::vector<uint64_t>{hidden, vocabulary * hidden};
}

uint64_t
TrainingModel::CountLayerParameters() const
{
    return Sum(DenseParameters()) + experts * Sum(ExpertParameters());
}

uint64_t
TrainingModel::CountParameters() const
{
    return Sum(FirstParameters()) + layers * CountLayerParameters() + Sum(LastParameters());
}

uint64_t
TrainingModel::CountAttentionParameters() const
{
    const std::vector<uint64_t> sizes = DenseParameters();
    const std::ptrdiff_t half = 6; // of both families
    return std::accumulate(sizes.begin(), sizes.begin() + half, uint64_t{0}) -
           (family == LLAMA ? hidden : 0); // the second norm stands with forward
}

uint64_t
TrainingModel::CountForwardParameters() const
{
    return Sum(DenseParameters()) - CountAttentionParameters() +
           expertsOfAToken * Sum(ExpertParameters());
}

} // namespace ns3
