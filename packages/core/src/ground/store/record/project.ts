import { DocketError } from "../../error/docket-error.ts"
import { ConfigTrust, type Place, Project } from "../../schema/index.ts"
import { defineRecord } from "./define-record.ts"
import { DuplicateError, firstOf, type Records } from "./records-port.ts"

export const projectRecord = defineRecord({
  name: "Project",
  words: ["project", "projects"],
  schema: Project,
  owner: "tenant",
  columns: { directory: "text", name: "text", opened: "number", place: "word" },
  values: ({ time, place = "" }) => ({ opened: time.opened, place }),
  unique: [["place", "directory"]],
})

export const trustRecord = defineRecord({
  name: "ConfigTrust",
  words: ["trusted configuration", "trusted configurations"],
  schema: ConfigTrust,
  key: "hash",
  owner: "tenant",
  columns: { directory: "text", trusted: "number" },
  values: ({ time }) => ({ trusted: time.trusted }),
})

export interface ProjectStore {
  get(id: string): Promise<Project | null>
  /** The same directory may be a project at each place. Without a place: that of the only process. */
  byDirectory(directory: string, place?: Place): Promise<Project | null>
  /** Most recently opened first. */
  list(): Promise<Project[]>
  /** @throws DocketError invalid_input when another project has the directory at its place */
  put(project: Project): Promise<void>
}

export function projectStore(records: Records): ProjectStore {
  const byDirectory = (directory: string, place = "") =>
    firstOf(records.find(projectRecord, { where: { directory, place }, order: [], limit: 1 }))
  return {
    get: (id) => records.get(projectRecord, id),
    byDirectory,
    list: () => records.find(projectRecord, { order: ["-opened", "-id"] }),
    async put(project) {
      try {
        await records.put(projectRecord, [project])
      } catch (error) {
        if (!(error instanceof DuplicateError)) throw error
        const { directory, place } = project
        const other = await byDirectory(directory, place)
        const words = `${directory} is already project ${other?.id}; use that one`
        throw new DocketError("invalid_input", words, { cause: error })
      }
    },
  }
}

export interface TrustStore {
  /** The trusted configurations of a directory, or of all directories, newest first. */
  list(directory?: string): Promise<ConfigTrust[]>
  /** Replaces an entry with the same hash. */
  put(trust: ConfigTrust): Promise<void>
  /** Nothing in the directory is trusted any more. */
  remove(directory: string): Promise<void>
}

export function trustStore(records: Records): TrustStore {
  return {
    list: (directory) => records.find(trustRecord, { where: { directory }, order: ["-trusted", "-hash"] }),
    put: (trust) => records.put(trustRecord, [trust]),
    async remove(directory) {
      await records.remove(trustRecord, { directory })
    },
  }
}
