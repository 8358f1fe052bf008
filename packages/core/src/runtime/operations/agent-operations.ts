import { z } from "zod"
import { AgentForm, PermissionConfig } from "../../ground/schema/index.ts"
import { notRecorded, records } from "./audit-rule.ts"
import { ProjectInput } from "./input.ts"
import { mutation, query } from "./operation.ts"
import { namedAgent, namedCommand } from "./without-settings.ts"

const AgentText = z.string().max(131_072)
const AgentFileInput = ProjectInput.extend({ file: z.string().min(1).max(4_096) })
/** SHA-256, hex. */
const Hash = z.string().regex(/^[0-9a-f]{64}$/)

export const agentOperations = {
  /** The agents of a project. Without `settings.read`: their names, purposes and models only. */
  list: query({
    input: ProjectInput,
    async run({ agent }, { projectID }, { asker }) {
      const agents = await agent.list(projectID)
      return asker.may("settings.read") ? agents : agents.map(namedAgent)
    },
  }),

  /** Agents with the rules in force, and the files that both come from. */
  explain: query({
    capability: "settings.read",
    input: ProjectInput,
    run: ({ agent }, { projectID }) => agent.explain(projectID),
  }),

  /** Every agent with the files that define it, and what in them does not count. */
  overview: query({
    capability: "settings.read",
    input: ProjectInput,
    run: ({ agent }, { projectID }) => agent.overview(projectID),
  }),

  /** The text of an agent's file, with the hash that a change of it names. */
  file: query({
    capability: "settings.read",
    input: AgentFileInput,
    run: ({ agent }, { projectID, file }) => agent.read(projectID, file),
  }),

  /** How Docket would read a text. With `form`, after the form is written into the text. Nothing is stored. */
  draft: mutation({
    capability: "read",
    audit: notRecorded("nothing is stored by it"),
    input: z.object({
      name: z.string().max(200),
      origin: z.enum(["docket", "opencode", "claude"]),
      text: AgentText,
      form: AgentForm.optional(),
    }),
    run: ({ agent }, text) => agent.draft(text),
  }),

  /** Writes a file for a new agent, in the project or for the user. */
  create: mutation({
    capability: "settings.manage",
    audit: records("agent.changed", { targets: ["name"], facts: ["owner", "replaces"] }),
    input: ProjectInput.extend({
      owner: z.enum(["project", "user"]),
      name: z.string().min(1).max(200),
      text: AgentText,
      replaces: z.boolean().default(false),
    }),
    run: ({ agent }, file) => agent.create(file),
  }),

  /**
   * Writes an agent's file. Fails with `config_changed`, and writes nothing, when the file is not the one of `hash`.
   */
  update: mutation({
    capability: "settings.manage",
    audit: records("agent.changed", { targets: ["file"] }),
    input: AgentFileInput.extend({ hash: Hash, text: AgentText }),
    run: ({ agent }, file) => agent.update(file),
  }),

  /** Removes an agent's file. Fails with `config_changed` when the file is not the one of `hash`. */
  remove: mutation({
    capability: "settings.manage",
    audit: records("agent.changed", { targets: ["file"] }),
    input: AgentFileInput.extend({ hash: Hash }),
    run: ({ agent }, file) => agent.remove(file),
  }),

  /** What the rules would say if an agent did this. Nothing is done. */
  judge: query({
    capability: "settings.read",
    input: ProjectInput.extend({
      agent: z.string().max(200),
      /** The agent that delegates to this one. */
      under: z.string().max(200).nullable().default(null),
      permission: z.string().min(1).max(200),
      /** A command line for `bash`, a path for files, otherwise what the permission's rules match. */
      text: z.string().trim().min(1).max(20_000),
    }),
    run: ({ agent }, { projectID, ...act }) => agent.judge(projectID, act),
  }),

  /**
   * What these rules, last in the user's own configuration, would have decided about what agents did since then
   * (epoch ms).
   */
  judgeHistory: query({
    capability: "settings.read",
    input: ProjectInput.extend({ since: z.number().nonnegative(), permission: PermissionConfig }),
    async run({ agent }, { projectID, ...asked }, { visibility }) {
      const hidden = await visibility?.hidden()
      return agent.previewHistory(projectID, { ...asked, ...(hidden?.isEmpty === false && { isHidden: hidden.has }) })
    },
  }),
}

export const commandOperations = {
  /** What each `/name` in a prompt stands for. A prompt uses a command by a part of that type. */
  list: query({
    input: ProjectInput,
    async run({ command }, { projectID }, { asker }) {
      const commands = await command.list(projectID)
      return asker.may("settings.read") ? commands : commands.map(namedCommand)
    },
  }),
}
