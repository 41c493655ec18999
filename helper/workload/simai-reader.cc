// SPDX-License-Identifier: GPL-2.0-only
#include "simai-reader.h"

#include "text-file.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{

namespace
{

constexpr std::size_t FIELDS = 12;       //!< of a layer
constexpr uint64_t LEAST_FORWARD = 4096; //!< bytes of a collective of forward
constexpr uint64_t MOST = JobGraph::MOST_RANKS;

/// Steps of a layer.
enum StepNumber : std::size_t
{
    FORWARD,
    INPUT_GRADIENT,
    WEIGHT_GRADIENT
};

/// @param text such as "ALLTOALL_EP" @param suffix such as "_EP" @return whether it had the suffix,
/// which is gone then
bool
TakeSuffix(std::string& text, const std::string& suffix)
{
    if (text.size() <= suffix.size() ||
        text.compare(text.size() - suffix.size(), suffix.size(), suffix) != 0)
    {
        return false;
    }
    text.resize(text.size() - suffix.size());
    return true;
}

} // namespace

SimAiReader::SimAiReader(SimAiOptions options)
    : m_options(options)
{
    if (m_options.passes == 0)
    {
        throw FabricError("a workload of SimAI with 0 passes", "it must be 1 or more");
    }
}

SimAiReader::~SimAiReader() = default;

JobGraph
SimAiReader::Read(const std::string& path)
{
    m_warnings.clear();
    m_header = Header();
    m_file = std::make_unique<TextFile>(path);
    ReadHeader();
    RequireDivisible();
    const std::vector<Layer> layers = ReadLayers();
    // Before anything is made: a calculation, a collective for each step, and an update.
    constexpr uint64_t most = 7;
    const uint64_t room = m_options.mostOperations / m_header.ranks / m_options.passes / most;
    if (layers.size() > room)
    {
        m_file->Fail(std::to_string(layers.size()) + " layers of " +
                         std::to_string(m_header.ranks) + " ranks in " +
                         std::to_string(m_options.passes) + " passes",
                     "at most " + std::to_string(m_options.mostOperations) + " operations");
    }
    m_graph = std::make_unique<JobGraph>(static_cast<uint32_t>(m_header.ranks), path, "line");
    AddGroups();
    for (uint32_t rank = 0; rank < m_header.ranks; ++rank)
    {
        AddRank(rank, layers);
    }
    JobGraph graph = std::move(*m_graph);
    m_graph.reset();
    m_file.reset();
    return graph;
}

// ---- the file

void
SimAiReader::ReadHeader()
{
    m_file->Require("the policy and the parallelism, such as "
                    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 all_gpus: 32");
    ReadPolicy(m_file->Fields()[0]);
    const std::vector<std::string>& fields = m_file->Fields();
    uint64_t virtualStages = 1;
    uint64_t accumulation = 1;
    uint64_t checkpoints = 0;
    uint64_t initiates = 0;
    uint64_t pipelineBytes = 0;
    const std::map<std::string, uint64_t*> keys{{"model_parallel_NPU_group", &m_header.tensor},
                                                {"ep", &m_header.expert},
                                                {"pp", &m_header.pipeline},
                                                {"all_gpus", &m_header.ranks},
                                                {"vpp", &virtualStages},
                                                {"ga", &accumulation},
                                                {"checkpoints", &checkpoints},
                                                {"checkpoint_initiates", &initiates},
                                                {"pp_comm", &pipelineBytes}};
    std::vector<std::string> names;
    for (const auto& [name, value] : keys)
    {
        names.push_back(name);
    }
    for (std::size_t i = 1; i < fields.size(); i += 2)
    {
        std::string name = fields[i];
        TakeSuffix(name, ":");
        const auto key = keys.find(name);
        if (key == keys.end())
        {
            m_file->Fail("unknown key \"" + name + "\"", FabricText::DidYouMean(name, names));
        }
        const bool counts = key->second == &m_header.tensor || key->second == &m_header.expert ||
                            key->second == &m_header.pipeline;
        *key->second = counts ? m_file->Uint(i + 1, name, MOST, 1)
                              : m_file->Uint(i + 1, name, JobGraph::MOST_BYTES);
    }
    if (checkpoints || initiates)
    {
        m_file->Fail("checkpoints: activations that are calculated again are not read",
                     "write checkpoints: 0 checkpoint_initiates: 0");
    }
    if (m_header.pipeline > 1)
    {
        m_warnings.insert("pp " + std::to_string(m_header.pipeline) +
                          ": sends between stages of the pipeline are not in the file");
    }
    if (virtualStages > 1 || accumulation > 1 || pipelineBytes)
    {
        m_warnings.insert("vpp, ga and pp_comm have no effect");
    }
}

void
SimAiReader::ReadPolicy(const std::string& policy)
{
    m_header.isMicro = policy == "MICRO";
    if (!m_header.isMicro && policy != "HYBRID_TRANSFORMER_FWD_IN_BCKWD" &&
        policy != "HYBRID_TRANSFORMER")
    {
        const bool isChakra = policy == "DATA" || policy == "MODEL" ||
                              policy == "HYBRID_DATA_MODEL" || policy == "HYBRID_MODEL_DATA" ||
                              policy == "HYBRID_DLRM";
        m_file->Fail("policy \"" + policy + "\"",
                     isChakra ? "Chakra's converter makes .et of such files, whose times are "
                                "microseconds"
                              : "HYBRID_TRANSFORMER_FWD_IN_BCKWD, HYBRID_TRANSFORMER and MICRO "
                                "are read");
    }
}

void
SimAiReader::RequireDivisible()
{
    Header& header = m_header;
    if (header.ranks == 0)
    {
        header.ranks = m_options.ranks;
    }
    else if (m_options.ranks && m_options.ranks != header.ranks)
    {
        m_file->Fail("all_gpus is " + std::to_string(header.ranks) + ", and ranks is " +
                     std::to_string(m_options.ranks));
    }
    if (header.ranks == 0 || header.ranks > MOST)
    {
        const std::string range = "1 to " + std::to_string(MOST);
        m_file->Fail(header.ranks ? "all_gpus is " + std::to_string(header.ranks)
                                  : "nothing says how many ranks there are",
                     header.ranks ? "a job has " + range + " ranks"
                                  : "write all_gpus: N in this line, or set ranks (lossless-job "
                                    "--ranks=N), " +
                                        range);
    }
    if (header.ranks > m_options.room)
    {
        m_file->Fail("all_gpus is " + std::to_string(header.ranks) + ", and the fabric has " +
                         std::to_string(m_options.room) + " GPUs that are free",
                     "a GPU for each rank");
    }
    for (const auto& [name, value] : {std::pair("model_parallel_NPU_group", header.tensor),
                                      std::pair("pp", header.pipeline),
                                      std::pair("ep", header.expert)})
    {
        if (value == 0 || value > header.ranks)
        {
            m_file->Fail(std::string(name) + " is " + std::to_string(value),
                         "it must be 1 to all_gpus, " + std::to_string(header.ranks));
        }
    }
    if (header.ranks % (header.tensor * header.pipeline) != 0)
    {
        m_file->Fail("all_gpus is " + std::to_string(header.ranks) +
                     ", no multiple of model_parallel_NPU_group " + std::to_string(header.tensor) +
                     " times pp " + std::to_string(header.pipeline));
    }
    const uint64_t data = header.ranks / header.tensor / header.pipeline;
    if (data % header.expert != 0)
    {
        m_file->Fail("ep is " + std::to_string(header.expert) + ", and of " + std::to_string(data) +
                         " data-parallel ranks no part",
                     "it must divide all_gpus / model_parallel_NPU_group / pp");
    }
}

std::vector<SimAiReader::Layer>
SimAiReader::ReadLayers()
{
    m_file->Require("the number of layers");
    m_file->RequireFields(1, "the number of layers");
    const uint64_t count = m_file->Uint(0, "the number of layers");
    std::vector<Layer> layers;
    while (layers.size() < count)
    {
        if (!m_file->Next())
        {
            m_file->Fail("the file ends here, with " + std::to_string(layers.size()) +
                         " layers of " + std::to_string(count));
        }
        layers.push_back(ReadLayer());
        for (const Step& step : layers.back().steps)
        {
            if (m_header.isMicro && step.type && step.parallelism > DATA)
            {
                m_file->Fail("a test of expert groups", "MICRO has all ranks as one group");
            }
        }
    }
    if (m_file->Next())
    {
        m_file->Fail("another layer, and the number of layers is " + std::to_string(count));
    }
    return layers;
}

SimAiReader::Layer
SimAiReader::ReadLayer()
{
    m_file->RequireFields(FIELDS,
                          "name, -1, then ns, type, bytes of forward, of input gradient and of "
                          "weight gradient, ns of the update");
    Layer layer;
    layer.name = m_file->Fields()[0];
    layer.line = m_file->Line();
    layer.steps[FORWARD] = ReadStep(2, TENSOR);
    layer.steps[INPUT_GRADIENT] = ReadStep(5, TENSOR);
    layer.steps[WEIGHT_GRADIENT] = ReadStep(8, DATA);
    layer.update = m_file->Uint(11, "ns of the update", JobGraph::MOST_NS);
    Step& forward = layer.steps[FORWARD];
    if (forward.bytes > 0)
    {
        forward.bytes = std::max(forward.bytes, LEAST_FORWARD);
    }
    return layer;
}

SimAiReader::Step
SimAiReader::ReadStep(std::size_t field, Parallelism other)
{
    static const std::map<std::string, CollectiveType> types{
        {"ALLREDUCE", CollectiveType::ALL_REDUCE},
        {"ALLGATHER", CollectiveType::ALL_GATHER},
        {"REDUCESCATTER", CollectiveType::REDUCE_SCATTER},
        {"ALLTOALL", CollectiveType::ALL_TO_ALL}};
    Step step;
    step.ns = m_file->Uint(field, "ns of a step", JobGraph::MOST_NS);
    step.bytes = m_file->Uint(field + 2, "bytes of a collective", JobGraph::MOST_BYTES);
    std::string name = m_file->Fields()[field + 1];
    step.parallelism = TakeSuffix(name, "_DP_EP") ? DATA_EXPERT
                       : TakeSuffix(name, "_EP")  ? EXPERT
                                                  : other;
    if (name == "NONE" || name == "BROADCAST")
    {
        if (name == "BROADCAST")
        {
            m_warnings.insert("BROADCAST has no effect, as with SimAI");
        }
        return step;
    }
    const auto type = types.find(name);
    if (type == types.end())
    {
        m_file->Fail("collective \"" + m_file->Fields()[field + 1] + "\"",
                     FabricText::DidYouMean(
                         name,
                         {"NONE", "ALLREDUCE", "ALLGATHER", "REDUCESCATTER", "ALLTOALL"}));
    }
    step.type = type->second;
    return step;
}

// ---- the graph

void
SimAiReader::AddGroups()
{
    const auto ranks = static_cast<uint32_t>(m_header.ranks);
    const auto tensor = static_cast<uint32_t>(m_header.tensor);
    const auto expert = static_cast<uint32_t>(m_header.expert);
    const auto data = static_cast<uint32_t>(m_header.ranks / m_header.tensor / m_header.pipeline);
    // Ranks of a group follow each other by a stride; `size` of them, in blocks of size * stride.
    const auto add =
        [&](Parallelism parallelism, const std::string& name, uint32_t size, uint32_t stride) {
            m_groups[parallelism].clear();
            if (size == 1)
            {
                return;
            }
            m_groups[parallelism].resize(ranks);
            uint32_t number = 0;
            for (uint32_t first = 0; first < ranks; ++first)
            {
                if (first / stride % size != 0)
                {
                    continue;
                }
                std::vector<uint32_t> members;
                for (uint32_t i = 0; i < size; ++i)
                {
                    members.push_back(first + i * stride);
                }
                const uint32_t group = m_graph->AddGroup(name + std::to_string(number++), members);
                for (const uint32_t member : members)
                {
                    m_groups[parallelism][member] = group;
                }
            }
        };
    if (m_header.isMicro)
    {
        for (auto& groups : m_groups)
        {
            groups.assign(ranks, 0);
        }
        return;
    }
    add(TENSOR, "tp", tensor, 1);
    add(DATA, "dp", data, tensor);
    add(EXPERT, "ep", expert, tensor);
    add(DATA_EXPERT, "dpep", data / expert, tensor * expert);
}

std::optional<uint32_t>
SimAiReader::GroupOf(uint32_t rank, Parallelism parallelism) const
{
    const std::vector<uint32_t>& groups = m_groups[parallelism];
    return groups.empty() ? std::nullopt : std::optional<uint32_t>(groups[rank]);
}

uint32_t
SimAiReader::AddOperation(uint32_t rank,
                          const Layer& layer,
                          JobOperation operation,
                          const std::vector<uint32_t>& after)
{
    operation.place = layer.line;
    operation.name = m_graph->AddText(layer.name);
    const uint32_t index = m_graph->Add(rank, operation);
    for (const uint32_t before : after)
    {
        m_graph->After(rank, index, before);
    }
    return index;
}

std::vector<uint32_t>
SimAiReader::AddStep(uint32_t rank,
                     const Layer& layer,
                     const Step& step,
                     const std::vector<uint32_t>& after)
{
    std::vector<uint32_t> last = after;
    if (step.ns)
    {
        last = {AddOperation(rank, layer, JobGraph::Calc(step.ns), last)};
    }
    const std::optional<uint32_t> group = GroupOf(rank, step.parallelism);
    if (step.type && step.bytes && group)
    {
        last = {
            AddOperation(rank, layer, JobGraph::Collective(*step.type, step.bytes, *group), last)};
    }
    return last;
}

void
SimAiReader::AddRank(uint32_t rank, const std::vector<Layer>& layers)
{
    std::vector<uint32_t> last; // what the next step waits for
    std::vector<std::vector<uint32_t>> gradients(layers.size());
    for (uint32_t pass = 0; pass < m_options.passes; ++pass)
    {
        for (std::size_t i = 0; i < layers.size(); ++i)
        {
            last.insert(last.end(), gradients[i].begin(), gradients[i].end());
            last = AddStep(rank, layers[i], layers[i].steps[FORWARD], last);
            for (const std::size_t step : {INPUT_GRADIENT, WEIGHT_GRADIENT})
            {
                if (m_header.isMicro)
                {
                    last = AddStep(rank, layers[i], layers[i].steps[step], last);
                }
            }
        }
        for (std::size_t i = layers.size(); i-- > 0 && !m_header.isMicro;)
        {
            const Layer& layer = layers[i];
            last = AddStep(rank, layer, layer.steps[INPUT_GRADIENT], last);
            Step calculation = layer.steps[WEIGHT_GRADIENT];
            calculation.type.reset();
            last = AddStep(rank, layer, calculation, last);
            Step exchange = layer.steps[WEIGHT_GRADIENT];
            exchange.ns = 0;
            gradients[i] = AddStep(rank, layer, exchange, last);
            if (layer.update)
            {
                gradients[i] = {AddOperation(rank,
                                             layer,
                                             JobGraph::Calc(layer.update, UPDATE_STREAM),
                                             gradients[i])};
            }
        }
    }
}

} // namespace ns3
