import { capabilities, type Rights, requireAccess } from "@docket/api/access"
import { Role } from "@docket/core/schema"
import { median } from "./median.ts"

const rounds = 5
/** Checks of each capability in a round. */
const repeats = 200

/** A role alone, and a key that is for all that it could be for: more is looked through, and less is refused sooner. */
const everybody: Rights[] = Role.options.flatMap((role) => [
  { role },
  { role, isOperator: true },
  { role, limitedTo: capabilities },
  { role, limitedTo: [] },
])

/**
 * Milliseconds of one check, in the mean over all capabilities: that of the answer that takes longest. Who may not is
 * told why in words, which costs more than letting somebody on.
 */
export function roleCheck(): number {
  const times = everybody.flatMap((rights) => [meanOf(rights, true), meanOf(rights, false)])
  return Math.max(...times.filter((time) => time !== null))
}

/** Of the capabilities that these rights have, or lack; null when there are none. */
function meanOf(rights: Rights, isAllowed: boolean): number | null {
  const asked = capabilities.filter((capability) => isLetOn(rights, capability) === isAllowed)
  if (asked.length === 0) return null
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    for (let repeat = 0; repeat < repeats; repeat++) for (const capability of asked) isLetOn(rights, capability)
    times.push((performance.now() - start) / (repeats * asked.length))
  }
  return median(times)
}

/** As a procedure and a route ask. */
function isLetOn(rights: Rights, capability: (typeof capabilities)[number]): boolean {
  try {
    requireAccess(rights, capability)
    return true
  } catch {
    return false
  }
}
