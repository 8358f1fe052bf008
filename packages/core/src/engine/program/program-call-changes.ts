import { describeChange, nameChange } from "../../acts/tool/describe-change.ts"
import type { FileChangeMetadata } from "../../ground/schema/tool-metadata.ts"
import type { ProgramCall } from "./agent-programs.ts"

/** What is left for the diffs of an answer. A program may tell of as many changes, and as often, as it likes. */
export interface DiffRoom {
  characters: number
  /** Milliseconds of comparing. */
  ms: number
}

/** The files that a call changes, which are told again with each change of the call. */
export interface CallChanges {
  /** Compares what has changed since the last time. A change for which there is no room has no diff. */
  describe(changes: ProgramCall["changes"], nameOf: (file: string) => string): FileChangeMetadata[]
  /** Lets go of the texts. */
  forget(): void
}

type Change = ProgramCall["changes"][number]

/** Most files of a call that are listed. */
export const mostListed = 1_000
/** What the diffs of one call may take. */
const mostCharacters = 1_000_000
const mostMs = 500

export function newDiffRoom(): DiffRoom {
  return { characters: 8_000_000, ms: 10_000 }
}

/** @param clock ms */
export function createCallChanges(room: DiffRoom, clock: () => number): CallChanges {
  let last: ProgramCall["changes"] | null = null
  let given: readonly Change[] = []
  let described: FileChangeMetadata[] = []
  return {
    describe(changes, nameOf) {
      if (changes === last) return described
      room.characters += described.reduce((sum, { diff }) => sum + diff.length, 0)
      let characters = mostCharacters
      let ms = mostMs
      const compare = (change: Change): FileChangeMetadata => {
        const file = nameOf(change.file)
        if (Math.min(ms, room.ms, characters, room.characters) <= 0) return nameChange(file, change)
        const begun = clock()
        const made = describeChange(file, change, Math.min(characters, room.characters))
        const taken = clock() - begun
        ms -= taken
        room.ms -= taken
        return made
      }
      const listed = changes.slice(0, mostListed)
      described = listed.map((change, index) => {
        const before = described[index]
        const made = before !== undefined && isSame(given[index], change) ? before : compare(change)
        characters -= made.diff.length
        room.characters -= made.diff.length
        return made
      })
      last = changes
      given = listed
      return described
    },
    forget() {
      last = null
      given = []
    },
  }
}

function isSame(one: Change | undefined, other: Change): boolean {
  return one?.file === other.file && one.before === other.before && one.after === other.after
}
