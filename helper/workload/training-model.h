// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TRAINING_MODEL_H
#define LOSSLESS_TRAINING_MODEL_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Sizes of a language model. Presets have those of models that were published:
 *
 * @code
 * TrainingModel model = TrainingModel::Preset("llama-3-8b");
 * model.layers = 4; // a small one of the same kind
 * @endcode
 */
struct TrainingModel
{
    /// How layers are made, which decides their parameters.
    enum Family : uint8_t
    {
        GPT,  //!< biases, two matrices forward, positions are learnt, one embedding
        LLAMA //!< no biases, three matrices forward, an embedding at each end
    };

    std::string name;            //!< for people
    Family family{LLAMA};        //!< how layers are made
    uint64_t layers{1};          //!< L
    uint64_t hidden{1024};       //!< h, width of an activation
    uint64_t feedForward{4096};  //!< f, width within the second half of a layer
    uint64_t heads{8};           //!< n, of attention
    uint64_t keyValueHeads{8};   //!< k_v, heads that keys and values have
    uint64_t vocabulary{32000};  //!< V
    uint64_t sequence{2048};     //!< s, tokens; of GPT the positions that are learnt
    uint64_t experts{1};         //!< E, of each layer; 1: there are none
    uint64_t expertsOfAToken{1}; //!< k, to which each token goes

    /// @param name such as "gpt-3-175b" @return the model; FabricError when there is none
    static TrainingModel Preset(const std::string& name);

    /// @return names of the presets
    static std::vector<std::string> Presets();

    /// @param sizes of parameters @return their sum
    static uint64_t Sum(const std::vector<uint64_t>& sizes);

    /// FabricError unless such a model can be.
    void Check() const;

    /// @return parameters of the model
    uint64_t CountParameters() const;

    /// @return parameters of a layer, of all its experts
    uint64_t CountLayerParameters() const;

    /// @return parameters that a token meets in the first half of a layer, attention
    uint64_t CountAttentionParameters() const;

    /// @return parameters that a token meets in the second half of a layer, of k experts
    uint64_t CountForwardParameters() const;

    /// @return sizes of the parameters of a layer without experts, in the order of forward
    std::vector<uint64_t> DenseParameters() const;

    /// @return sizes of the parameters of one expert; of a model without experts none
    std::vector<uint64_t> ExpertParameters() const;

    /// @return sizes of the parameters before the first layer
    std::vector<uint64_t> FirstParameters() const;

    /// @return sizes of the parameters behind the last layer
    std::vector<uint64_t> LastParameters() const;
};

} // namespace ns3

#endif // LOSSLESS_TRAINING_MODEL_H
