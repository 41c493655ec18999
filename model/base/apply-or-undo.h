// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_APPLY_OR_UNDO_H
#define LOSSLESS_APPLY_OR_UNDO_H

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Make a change that others may refuse with an exception: then it is undone, and the exception goes
 * on to whoever made the change.
 * @param apply makes the change
 * @param undo makes all as it was
 */
template <typename Apply, typename Undo>
void
ApplyOrUndo(Apply&& apply, Undo&& undo)
{
    try
    {
        apply();
    }
    catch (...)
    {
        undo();
        throw;
    }
}

/**
 * @ingroup lossless
 *
 * Change a setting that others must follow: when one of them refuses with an exception, the setting
 * is as before, all have followed back, and the exception goes on to whoever made the change.
 * @param before value in force; a copy, as apply() changes the setting
 * @param after value wanted
 * @param apply called with a value: sets it and makes all others follow
 */
template <typename T, typename Apply>
void
ApplyOrUndo(T before, const T& after, Apply&& apply)
{
    ApplyOrUndo([&] { apply(after); }, [&] { apply(before); });
}

} // namespace ns3

#endif // LOSSLESS_APPLY_OR_UNDO_H
