import type { Faults } from "./faults.ts"
import type { Figures } from "./reader.ts"

type Look = Figures & { minute: number }

export interface Report {
  did(activity: string, ms: number): void
  measured(reader: string, look: Look): void
  /** Records the contents of the tree at the end. */
  ended(counts: Record<string, number>): void
  text(faults: Faults, run: { minutes: number; seed: string }): string
}

const mib = (bytes: number) => (bytes / 1_048_576).toFixed(1)

/** Collects the measurements of a run and prints them at its end. */
export function createReport(): Report {
  const done = new Map<string, { times: number; ms: number }>()
  const looks = new Map<string, Look[]>()
  let counts: Record<string, number> = {}
  return {
    did(activity, ms) {
      const { times, ms: before } = done.get(activity) ?? { times: 0, ms: 0 }
      done.set(activity, { times: times + 1, ms: before + ms })
    },
    measured: (reader, look) => void looks.set(reader, [...(looks.get(reader) ?? []), look]),
    ended: (given) => {
      counts = given
    },
    text(faults, { minutes, seed }) {
      const lines = [
        `${minutes.toFixed(1)} minutes, seed ${seed}`,
        Object.entries(counts)
          .map(([name, count]) => `${count.toLocaleString("en")} ${name}`)
          .join(", "),
        ...[...done].map(([name, { times, ms }]) => `${times} × ${name}, ${(ms / times / 1_000).toFixed(0)} s each`),
        "",
        ...[...faults.checks()].map(([check, times]) => `${times} × ${check}`),
        "",
        ...[...looks].flatMap(([reader, all]) => wordsOf(reader, all)),
        "",
        faults.list().length === 0 ? "No faults." : `${faults.list().length} faults:`,
        ...faults.list(),
      ]
      return `${lines.join("\n")}\n`
    },
  }
}

function wordsOf(reader: string, looks: Look[]): string[] {
  const most = (pick: (look: Look) => number) => Math.max(...looks.map(pick))
  const samples = looks.reduce((sum, { rows }) => sum + rows.samples, 0)
  const blank = looks.reduce((sum, { rows }) => sum + rows.blank.length, 0)
  const least = Math.min(...looks.map(({ rows }) => rows.lowest ?? Number.POSITIVE_INFINITY))
  const heaps = looks.map(({ heap }) => mib(heap)).join(" ")
  return [
    `${reader}: ${samples} looks at the rows, ${blank} without one; first row after at most ${most(({ rows }) => rows.slowest)} ms; at least ${least} px for rows`,
    `  at most ${most(({ elements }) => elements)} elements; heap in MiB, every two minutes: ${heaps}`,
  ]
}
