import { createHash } from "node:crypto"
import path from "node:path"
import { createFewAtOnce } from "@docket/core/few-at-once"
import type { FormatPlace, Formatters, Formatting, UnformattedText } from "@docket/core/formatters"
import type { PlaceLaunch } from "@docket/core/program-place"
import type { Timers } from "@docket/core/timers"
import { type ChosenFormatter, chooseFormatter } from "./choose-formatter.ts"
import { copyCommand } from "./copy-command.ts"
import { findCommand, findProgram, isWithin, type Search } from "./find-program.ts"
import { type FormatterResult, runFormatter } from "./run-formatter.ts"

/** Texts of a call that are formatted at once. */
const atOnce = 2
/** Formatters of a workspace that run at once: more would only slow each other, up to their limit of time. */
const maxRunning = 4
/** Texts that wait for one. */
const maxWaiting = 500
/** Files whose last formatted text is remembered. */
const maxKnown = 1_000

/** See `Formatters`. One of these serves a workspace. */
export function createFormatters(deps: { timers: Timers }): Formatters {
  /** By file, what names a text that came out of its formatter: it need not be tried again. */
  const formatted = new Map<string, string>()
  const slots = createFewAtOnce({ atOnce: maxRunning, waiting: maxWaiting })
  const remember = (file: string, name: string) => {
    formatted.delete(file)
    formatted.set(file, name)
    for (const oldest of formatted.keys()) {
      if (formatted.size <= maxKnown) break
      formatted.delete(oldest)
    }
  }
  const formatOne = async (
    place: FormatPlace,
    { file, before, text }: UnformattedText,
    { signal, late }: { signal: AbortSignal; late: Set<string> },
  ): Promise<Formatting> => {
    const chosen = isWithin(place.worktree, file) ? chooseFormatter(place.settings, place.worktree, file) : null
    if (chosen === null || text === "" || late.has(chosen.id)) return null
    const { id: formatter } = chosen
    const name = path.relative(place.worktree, file)
    const left = (why: string) => ({ formatter, fault: `${formatter} did not format ${name}: ${why}` })
    const search = searchFor(chosen, place)
    if ("missing" in search) return { ...left(search.reason), isLasting: true }
    const unconfined = place.isTrusted ? null : await place.unconfined()
    if (unconfined !== null)
      return { ...left(`${unconfined} Trust the project if it may run without a sandbox.`), isLasting: true }
    const launch = launchOf(chosen, place, { file, found: search.found })
    const run = async (source: string): Promise<FormatterResult> =>
      (await slots(() => runFormatter({ ...deps, place, signal }, launch, source))) ?? {
        failed: "too many texts wait for it",
      }
    const nameOf = (source: string) => digest([chosen.stamp, JSON.stringify([launch.file, launch.args]), source])
    const isKnown = before === null || formatted.get(file) === nameOf(before)
    const [old, made] = await Promise.all([isKnown ? null : run(before), run(text)])
    if ("isLate" in made || (old !== null && "isLate" in old)) late.add(formatter)
    // A file that was not formatted stays as its people write it.
    if (old !== null && !isSame(old, before)) return null
    if ("stopped" in made) return null
    if ("failed" in made) return left(`${made.failed.replace(/\.$/, "")}. It is written as you gave it.`)
    remember(file, nameOf(made.text))
    return { formatter, text: made.text }
  }
  return {
    async format(place, texts, signal) {
      const late = new Set<string>()
      const done: Formatting[] = []
      for (let at = 0; at < texts.length; at += atOnce) {
        const some = texts.slice(at, at + atOnce)
        done.push(
          ...(await Promise.all(
            some.map((text) =>
              formatOne(place, text, { signal, late }).catch((error: unknown): Formatting => {
                const why = error instanceof Error ? error.message : String(error)
                return { formatter: "", fault: `${path.basename(text.file)} was not formatted: ${why}` }
              }),
            ),
          )),
        )
      }
      return done
    },
  }
}

function searchFor({ definition, command, root }: ChosenFormatter, place: FormatPlace): Search {
  if (command !== null) return findCommand(command, place, root)
  return findProgram({ programs: definition === null ? [] : [definition.program] }, place, root)
}

function launchOf(
  { definition, command, root, env }: ChosenFormatter,
  { worktree }: FormatPlace,
  { file, found }: { file: string; found: Extract<Search, { found: unknown }>["found"] },
): PlaceLaunch {
  const start = { cwd: root, env: { NO_COLOR: "1", ...env }, readable: found.readable }
  if (command !== null && found.args.some((word) => word.includes("$FILE")))
    return { ...start, ...copyCommand(worktree, file, [found.file, ...found.args]) }
  const extension = path.extname(file).slice(1).toLowerCase()
  const args = found.args.map((word) => word.replaceAll("$FILE", () => file).replaceAll("$EXTENSION", () => extension))
  return { ...start, file: found.file, args: [...args, ...(definition?.argumentsFor?.(file, worktree) ?? [])] }
}

/** Whether a formatter leaves a text as it is. */
function isSame(result: FormatterResult, text: string | null): boolean {
  return "text" in result && result.text === text
}

function digest(values: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(values)).digest("base64")
}
