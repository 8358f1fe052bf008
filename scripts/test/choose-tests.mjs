/**
 * @typedef {object} Candidate a Playwright test or a Vitest file that does not have to run each time
 * @property {string} id
 * @property {string} file relative to the root
 * @property {number | undefined} seconds that it took when all tests passed; undefined for a new one
 * @property {boolean} [journey] runs each time
 */

/**
 * @typedef {Record<string, { sources: string[], tests: string[] }>} Areas folders and files of each, relative to the
 *   root
 */

/**
 * @typedef {object} Changed
 * @property {Set<string>} areas in which something changed
 * @property {Set<string>} files that changed
 */

/** Files that affect all tests. */
const everywhere = [
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "package.json",
  "tsconfig.json",
  "vitest.config.ts",
  "e2e/playwright.config.ts",
]
/** Files that no test reads: documentation, and settings of checks that always run. */
const nowhere =
  /^(?:docs\/|\.ci\/|\.github\/)|\.md$|^(?:LICENSE|biome\.json|knip\.json|turbo\.json|\.gitignore|\.dockerignore)$/

/**
 * The area of a file: the one with the longest matching folder.
 * @param {string} file
 * @param {Areas} areas
 * @returns {string | undefined}
 */
export function areaOf(file, areas) {
  const owners = Object.entries(areas).flatMap(([name, { sources }]) =>
    sources.filter((source) => file === source || file.startsWith(`${source}/`)).map((source) => ({ name, source })),
  )
  return owners.sort((one, other) => other.source.length - one.source.length)[0]?.name
}

/**
 * @param {string[]} files that changed
 * @param {Areas} areas
 * @returns {Changed | null} null when a changed file affects all tests, or belongs to no area
 */
export function changedAreas(files, areas) {
  const telling = files.filter((file) => !nowhere.test(file))
  if (telling.some((file) => everywhere.includes(file))) return null
  // A changed test runs itself and does not affect others.
  const sources = telling.filter((file) => !isTest(file))
  const owners = sources.map((file) => areaOf(file, areas))
  if (owners.includes(undefined)) return null
  return { areas: new Set(owners), files: new Set(telling) }
}

const isTest = (file) => /\.(?:test|test-d|spec)\.(?:tsx?|mjs)$/.test(file)

/**
 * Chooses what runs: journeys, changed areas, new tests, and a random choice of the others within the budget.
 * @param {Candidate[]} candidates
 * @param {{ areas: Areas, changed: Changed | null, seed: number, budget: number }} options `budget` in seconds of the random
 *   choice; if `changed` is null, everything runs
 * @returns {{ chosen: Candidate[], skipped: Candidate[], journeys: number, changed: number, drawn: number }} with the
 *   number of chosen ones by reason, each counted once
 */
export function chooseTests(candidates, { areas, changed, seed, budget }) {
  if (changed === null) return { chosen: candidates, skipped: [], journeys: 0, changed: candidates.length, drawn: 0 }
  const journeys = candidates.filter(({ journey }) => journey)
  const touched = candidates.filter((each) => !each.journey && isTouched(each, areas, changed))
  const others = shuffled(
    candidates.filter((each) => !journeys.includes(each) && !touched.includes(each)),
    seed,
  )
  const drawn = []
  let rest = budget
  for (const each of others) {
    if (each.seconds > rest) continue
    rest -= each.seconds
    drawn.push(each)
  }
  const chosen = new Set([...journeys, ...touched, ...drawn])
  return {
    chosen: candidates.filter((each) => chosen.has(each)),
    skipped: candidates.filter((each) => !chosen.has(each)),
    journeys: journeys.length,
    changed: touched.length,
    drawn: drawn.length,
  }
}

function isTouched({ file, seconds }, areas, changed) {
  if (seconds === undefined || changed.files.has(file)) return true
  const own = areaOf(file, areas)
  const named = Object.keys(areas).filter((name) => areas[name].tests.includes(file))
  return [own, ...named].some((area) => changed.areas.has(area))
}

/** The same order for the same seed (Fisher–Yates, with mulberry32). */
function shuffled(items, seed) {
  const order = [...items]
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(next() * (last + 1))
    ;[order[last], order[other]] = [order[other], order[last]]
  }
  return order
}
