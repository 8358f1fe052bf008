import { z } from "zod"
import { AwaitedProject, CredentialName, Place, Project, Repository } from "../../ground/schema/index.ts"
import { records } from "./audit-rule.ts"
import { ProjectInput } from "./input.ts"
import { mutation, query } from "./operation.ts"

const Path = z.string().max(4_096)

const RepositoryInput = z.object({
  url: Repository.shape.url,
  ref: Repository.shape.ref.optional(),
  credential: CredentialName.optional(),
  subdirectory: Repository.shape.subdirectory.unwrap().optional(),
})

export const projectOperations = {
  /** Opens a directory as a project. Where several hosts have directories, `place` says whose; see `project.places`. */
  open: mutation({
    capability: "projects.manage",
    audit: records("project.opened", { targets: ["directory"] }),
    input: z.object({ directory: Path.min(1), place: Place.optional() }),
    needs: "directories",
    run: ({ project }, { directory }) => project.open(directory),
  }),

  /**
   * Adds a repository as a project: its sessions have its files on whichever host works on them. Without a branch, that which
   * the server names.
   */
  add: mutation({
    capability: "projects.manage",
    audit: records("project.added", { targets: ["url"] }),
    input: RepositoryInput,
    needs: "rows",
    run: ({ project }, input, { asker }) => project.add(input, asker.signal ?? new AbortController().signal),
    rest: {
      method: "post",
      path: "/projects",
      operationID: "addProject",
      summary: "Add a repository as a project.",
      body: RepositoryInput,
      status: 201,
      answer: { description: "the project", schema: Project },
      refusals: { 400: "an address that is not allowed" },
      read: ({ body }) => body,
      about: ({ id }) => ({ projectID: id }),
    },
  }),

  /** The projects that are open. */
  list: query({
    input: null,
    needs: "rows",
    run: ({ project }) => project.list(),
    rest: {
      method: "get",
      path: "/projects",
      operationID: "listProjects",
      summary: "The projects that are open.",
      status: 200,
      answer: { description: "the projects", schema: z.object({ projects: z.array(Project) }) },
      refusals: {},
      read: () => undefined,
      write: (projects) => ({ projects }),
      withoutAgents: () => ({ projects: [] }),
    },
  }),

  /** The projects whose sessions wait for a host, and which. Empty for a service of one process. */
  awaited: query({
    input: null,
    needs: "rows",
    run: ({ project }) => project.awaited(),
    rest: {
      method: "get",
      path: "/projects/awaited",
      operationID: "listAwaitedProjects",
      summary: "The projects whose sessions wait for a host, and which.",
      status: 200,
      answer: { description: "these projects", schema: z.object({ projects: z.array(AwaitedProject) }) },
      refusals: {},
      read: () => undefined,
      write: (projects) => ({ projects }),
      withoutAgents: () => ({ projects: [] }),
    },
  }),

  /** One project. */
  get: query({ input: ProjectInput, needs: "rows", run: ({ project }, { projectID }) => project.get(projectID) }),

  /** Files that match `query`, best first, relative to the project's directory. */
  files: query({
    capability: "prompt",
    input: ProjectInput.extend({
      query: z.string().max(500),
      limit: z.number().int().min(1).max(200).default(20),
    }),
    run: ({ project }, { projectID, query, limit }) => project.files(projectID, query, limit),
  }),

  /** What is in a directory of the project (relative to its own, or absolute), directories first. */
  entries: query({
    capability: "prompt",
    input: ProjectInput.extend({ path: Path.default(".") }),
    run: ({ project }, { projectID, path }) => project.entries(projectID, path),
  }),

  /** The content of a file that every agent of the project may read without asking. */
  content: query({
    capability: "prompt",
    input: ProjectInput.extend({ path: Path.min(1) }),
    run: ({ project }, { projectID, path }) => project.content(projectID, path),
  }),

  /** The first lines of such files that match a regular expression. */
  matches: query({
    capability: "prompt",
    input: ProjectInput.extend({ pattern: z.string().min(1).max(10_000) }),
    run: ({ project }, { projectID, pattern }, { asker }) => project.matches(projectID, pattern, asker.signal),
  }),

  /** The branch that is checked out. `null` when a commit is, or where there is no repository. */
  branch: query({ input: ProjectInput, run: ({ project }, { projectID }) => project.branch(projectID) }),

  /** A few prompts to try in this project. */
  suggestions: query({ input: ProjectInput, run: ({ project }, { projectID }) => project.suggestions(projectID) }),

  /** Where directories can be opened as projects: the hosts of several nodes. Empty for a service of one process. */
  places: query({
    capability: "projects.manage",
    input: null,
    needs: "rows",
    run: ({ project }) => project.places(),
  }),

  /** Directories below an absolute path, by default below the home directory or a root. For the project picker. */
  directories: query({
    capability: "projects.manage",
    input: z.object({ path: Path.optional(), place: Place.optional() }),
    needs: "directories",
    run: ({ project }, { path }) => project.directories(path),
  }),
}
