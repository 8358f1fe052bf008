import { z } from "zod"

/** Seconds that a hook may take at most. */
const mostSeconds = 3_600

const shared = {
  if: z.string().min(1).optional().describe('Only for calls that this rule matches, as "Bash(git *)".'),
  timeout: z.number().positive().max(mostSeconds).optional().describe("Seconds until it is ended; 600 unless set."),
  onFailure: z
    .enum(["continue", "block"])
    .optional()
    .describe("block: where it fails, what it was to check is blocked; continue (default): the work goes on."),
  statusMessage: z.string().max(200).optional().describe("What is shown while it runs."),
  once: z.boolean().optional().describe("It runs once in a session."),
}

const CommandHook = z.object({
  type: z.literal("command"),
  command: z.string().trim().min(1).max(10_000).describe("A shell command, or with args the program."),
  args: z.array(z.string()).optional().describe("Arguments; then no shell is used."),
  shell: z.enum(["bash", "sh"]).optional().describe("The shell of the command; bash unless set."),
  async: z.boolean().optional().describe("Nothing waits for it."),
  asyncRewake: z
    .boolean()
    .optional()
    .describe("Nothing waits for it; with exit code 2 the agent is told what it says."),
  ...shared,
})

const HttpHook = z.object({
  type: z.literal("http"),
  url: z.url({ protocol: /^https?$/, error: "write a whole address" }).describe("Where the event is posted."),
  headers: z.record(z.string(), z.string()).optional(),
  allowedEnvVars: z
    .array(z.string().min(1))
    .optional()
    .describe("The variables of the environment whose values may stand in headers, as $NAME."),
  ...shared,
})

/** What runs when something happens. Keys that Docket does not know are ignored, as Claude Code does. */
export const HookHandler = z.discriminatedUnion("type", [CommandHook, HttpHook])
export type HookHandler = z.infer<typeof HookHandler>

export const HookGroup = z
  .object({
    matcher: z
      .string()
      .max(1_000)
      .optional()
      .describe('Names it is for, such as "Edit|Write", or a pattern; without it all.'),
    hooks: z.array(HookHandler),
  })
  // Written once in the JSON schema.
  .meta({ id: "HookGroup" })
export type HookGroup = z.infer<typeof HookGroup>

const groups = z.array(HookGroup).optional()

/** `hooks` in docket.json and in Claude Code's settings. */
export const HooksConfig = z.strictObject({
  PreToolUse: groups.describe("Before a call of a tool."),
  PostToolUse: groups.describe("After a call of a tool."),
  PostToolUseFailure: groups.describe("After a call that failed."),
  PermissionRequest: groups.describe("Before a person is asked for leave."),
  UserPromptSubmit: groups.describe("Before a prompt is taken."),
  SessionStart: groups.describe("When a session begins to work."),
  SessionEnd: groups.describe("When a session is removed."),
  Stop: groups.describe("Before a turn ends."),
  SubagentStart: groups.describe("When a subagent begins to work."),
  SubagentStop: groups.describe("Before a subagent ends."),
  PreCompact: groups.describe("Before a conversation is summarised."),
  Notification: groups.describe("When a person is asked, or a session waits for a prompt."),
  TaskCreated: groups.describe("Before a todo is added."),
  TaskCompleted: groups.describe("Before a todo is completed."),
})
export type HooksConfig = z.infer<typeof HooksConfig>

export const hookEvents = HooksConfig.keyof().options
export type HookEvent = (typeof hookEvents)[number]

/** Events of Claude Code that do not happen here. */
export const otherHookEvents: readonly string[] =
  "PostToolBatch PermissionDenied UserPromptExpansion Setup StopFailure PostCompact PreModelSwitch PostModelSwitch TeammateIdle Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay".split(
    " ",
  )
