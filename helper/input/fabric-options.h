// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_OPTIONS_H
#define LOSSLESS_FABRIC_OPTIONS_H

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What the user of a program says about attributes: `--ns3::Type::Attribute=value`. Such a value
 * wins over what the program sets by a helper that knows the options:
 *
 * @code
 * FabricHelper helper(program.GetOptions());
 * @endcode
 *
 * An option is also ns-3's default, for objects that a program makes itself. Values are checked as
 * FabricAttributes does. Copies are the same options.
 */
class FabricOptions
{
  public:
    /// No options.
    FabricOptions();

    /**
     * Take an option, and make it the default of the attribute.
     * @param fullName type and attribute, such as "ns3::RdmaDcqcn::Dialect"
     * @param text value
     */
    void Add(const std::string& fullName, const std::string& text) const;

    /// @param path of a file of settings for places of the fabric, see FabricHelper::ReadSettings()
    void SetSettingsFile(const std::string& path) const;
    /// @return its path, for who reads it; empty: none
    const std::string& GetSettingsFile() const;
    /// @return whether there is a file of settings, and nobody has asked for its path
    bool IsSettingsFileIdle() const;

    /// @return whether there is none, and no file of settings
    bool IsEmpty() const;

    /// @param type a type @param attribute name of one of its attributes @return the text of the
    /// option for this attribute; empty: there is none
    std::string Get(TypeId type, const std::string& attribute) const;

    /// @param type a type @param attribute name of one of its attributes @return whether there is
    /// an option for this attribute
    bool Has(TypeId type, const std::string& attribute) const;

    /// Make all options the defaults again, in case Config::SetDefault() has changed them since.
    void Apply() const;

    // ---- what programs and files say; an option for the same attribute wins

    /**
     * Set the default of an attribute, unless there is an option for it; the value is checked in
     * any case.
     * @param fullName type and attribute
     * @param text new default
     */
    void SetDefault(const std::string& fullName, const std::string& text) const;

    /// @param fullName type that declares an attribute, and attribute @return whether SetDefault()
    /// has set it: such as a configuration of another simulator, which has a value for every mode
    bool IsOfProgram(const std::string& fullName) const;

    /**
     * Set an attribute of the objects that a factory will make, unless there is an option for it;
     * the value is checked in any case.
     * @param factory the factory, with its type set
     * @param attribute name
     * @param value new value
     */
    void Set(ObjectFactory& factory,
             const std::string& attribute,
             const AttributeValue& value) const;

    /**
     * FabricAttributes::Check(), where text of an object leaves out attributes with options.
     * @param type a type @param attribute name @param value what it should become
     * @return the value as the attribute's type
     */
    Ptr<AttributeValue> Check(TypeId type,
                              const std::string& attribute,
                              const AttributeValue& value) const;

    /**
     * FabricAttributes::ToFactory(), where attributes with options are checked and left out.
     * @param text an object, "ns3::Type" or "ns3::Type[Attribute=value|...]"
     * @param base what it must be or derive from; none: anything
     * @return what makes it
     */
    ObjectFactory ToFactory(const std::string& text, TypeId base = TypeId()) const;

  private:
    /// What copies share.
    struct Said
    {
        std::map<std::string, std::string> texts; //!< by "type that declares it::attribute"
        std::string settingsFile;                 //!< empty: none
        std::set<std::string> ofPrograms;         //!< IsOfProgram()
        bool isSettingsFileIdle{false};           //!< there is one, and nobody has asked for it
    };

    std::shared_ptr<Said> m_said;
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_OPTIONS_H
