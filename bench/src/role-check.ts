import { capabilities, type Rights, requireAccess } from "@docket/api/access"
import { Role } from "@docket/core/schema"
import { median } from "./median.ts"

const rounds = 5
/** Checks of each capability per round. */
const repeats = 200

/**
 * Each role alone, as operator, and with a key: a key for all capabilities takes longest to check, one for none is
 * refused soonest.
 */
const everybody: Rights[] = Role.options.flatMap((role) => [
  { role },
  { role, isOperator: true },
  { role, limitedTo: capabilities },
  { role, limitedTo: [] },
])

/**
 * Milliseconds per check, as a mean over all capabilities, for the slowest kind of answer. A refusal costs more,
 * because it explains the reason in words.
 */
export function roleCheck(): number {
  const times = everybody.flatMap((rights) => [meanOf(rights, true), meanOf(rights, false)])
  return Math.max(...times.filter((time) => time !== null))
}

/** Mean over the capabilities that these rights include, or do not include; null when there are none. */
function meanOf(rights: Rights, isAllowed: boolean): number | null {
  const asked = capabilities.filter((capability) => hasAccess(rights, capability) === isAllowed)
  if (asked.length === 0) return null
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    for (let repeat = 0; repeat < repeats; repeat++) for (const capability of asked) hasAccess(rights, capability)
    times.push((performance.now() - start) / (repeats * asked.length))
  }
  return median(times)
}

/** Checks access like a procedure or a route does. */
function hasAccess(rights: Rights, capability: (typeof capabilities)[number]): boolean {
  try {
    requireAccess(rights, capability)
    return true
  } catch {
    return false
  }
}
