import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import { ProjectID, SessionListItem, SessionStats, WorkingSession } from "../../ground/schema/index.ts"
import { MaybeProjectInput, sizeOf } from "./input.ts"
import { query } from "./operation.ts"
import { invalid } from "./refusals.ts"

const page = { usual: 50, most: 200 }

/** The most days of which figures are made. */
const mostDays = 366

/** The project that an address names. @throws invalid_input */
function namedProject(project: string | undefined): string | undefined {
  const named = ProjectID.optional().safeParse(project || undefined)
  if (!named.success) throw new DocketError("invalid_input", "name a project: ?project=prj_…")
  return named.data
}

export const sessionListOperations = {
  /** The sessions of the trees that were updated last, children too. `limit` counts trees. */
  recent: query({
    input: z.object({
      projectID: ProjectID.optional(),
      search: z.string().max(200).optional(),
      limit: z.number().int().min(1).max(200).default(100),
    }),
    needs: "rows",
    run: ({ session }, asked) => session.recent(asked),
    lists: ({ rootID }) => rootID,
  }),

  /** The sessions with a prompt or a task that waits or runs; all others are `idle`. */
  working: query({
    input: MaybeProjectInput,
    needs: "rows",
    run: ({ session }, asked) => session.working(asked),
    lists: ({ rootID }) => rootID,
    rest: {
      method: "get",
      path: "/status",
      operationID: "listWorking",
      summary: "The sessions with a prompt or a task that waits or runs; all others are idle.",
      query: { project: { type: "string", description: "a project id: its sessions" } },
      status: 200,
      answer: { description: "those that work", schema: z.object({ sessions: z.array(WorkingSession) }) },
      refusals: invalid,
      read: ({ query: { project } }) => ({ projectID: namedProject(project) }),
      write: (sessions) => ({ sessions }),
    },
  }),

  /**
   * What was done and spent on the last days: turns, their durations, cost and tokens, by day, model, agent and project.
   * `utcOffset` (minutes) says when a day begins. Without trees that are hidden from the caller, and removed ones.
   */
  stats: query({
    input: z.object({
      projectID: ProjectID.optional(),
      days: z.int().min(1).max(mostDays).default(30),
      utcOffset: z.int().min(-840).max(840).default(0),
    }),
    needs: "rows",
    run: ({ session }, asked, { visibility, caller }) => session.stats(asked, visibility && caller.person),
    rest: {
      method: "get",
      path: "/stats",
      operationID: "getStats",
      summary: "What was done and spent on the last days, by day, model, agent and project.",
      query: {
        project: { type: "string", description: "a project id: its sessions" },
        days: {
          type: "integer",
          minimum: 1,
          maximum: mostDays,
          default: 30,
          description: "today and the days before it",
        },
        utc_offset: {
          type: "integer",
          minimum: -840,
          maximum: 840,
          default: 0,
          description: "how far your clock is ahead of UTC (minutes)",
        },
      },
      status: 200,
      answer: { description: "the figures", schema: SessionStats },
      refusals: invalid,
      read({ query: { project, days, utc_offset } }) {
        const offset = /^-?\d{1,3}$/.test(utc_offset ?? "") ? Number(utc_offset) : 0
        return {
          projectID: namedProject(project),
          days: sizeOf(days, { usual: 30, most: mostDays }),
          utcOffset: Math.abs(offset) <= 840 ? offset : 0,
        }
      },
    },
  }),

  /** Root sessions in pages, the most recently updated first. Cost and tokens are those of the whole tree. */
  list: query({
    input: z.object({
      projectID: ProjectID.optional(),
      search: z.string().max(200).optional(),
      archived: z.boolean().optional(),
      limit: z.number().int().min(1).max(200).optional(),
      cursor: z.string().optional(),
    }),
    needs: "rows",
    run: ({ session }, asked) => session.list(asked),
    pages: { usual: page.usual, rootOf: ({ session }) => session.id },
    rest: {
      method: "get",
      path: "/sessions",
      operationID: "listSessions",
      summary: "Root sessions, the most recently updated first. Figures are those of the whole tree.",
      query: {
        project: { type: "string", description: "a project id: its sessions" },
        search: { type: "string", maxLength: 200, description: "words in the title" },
        archived: { type: "string", enum: ["true", "false"], description: "only these; both without it" },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: page.most,
          default: page.usual,
          description: "how many at most",
        },
        cursor: { type: "string", description: "`next_cursor` of the page before" },
      },
      status: 200,
      answer: {
        description: "a page",
        schema: z.object({ items: z.array(SessionListItem), nextCursor: z.string().nullable() }),
      },
      refusals: invalid,
      read({ query: { project, search, archived, limit, cursor } }) {
        return {
          projectID: namedProject(project),
          search: search?.slice(0, 200) || undefined,
          archived: archived === "true" || archived === "false" ? archived === "true" : undefined,
          limit: sizeOf(limit, page),
          cursor: cursor || undefined,
        }
      },
      write: ({ items, cursor }) => ({ items, nextCursor: cursor }),
      withoutAgents: () => ({ items: [], nextCursor: null }),
    },
  }),
}
