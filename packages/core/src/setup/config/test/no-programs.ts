import type { OtherPrograms } from "../other-programs.ts"

/** No other programs: only Docket's own configuration is read. */
export const noPrograms: OtherPrograms = {
  userServers: async () => ({ servers: [], problems: [] }),
  userSettings: () => [],
  projectSettings: () => [],
  translateSettings: () => null,
  translateAgent: () => null,
  findHooks: async () => ({ files: [], problems: [] }),
  ownHooks: async () => ({ files: [], problems: [] }),
  readProject: async () => ({ denials: [], problems: [], closures: [], files: async () => [] }),
}
