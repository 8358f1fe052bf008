import type {
  Caller,
  Todo,
  TodoActor,
  TodoChange,
  TodoInput,
  TodoPlan,
  TodoPriority,
  TodoStatus,
} from "../../ground/schema/index.ts"
import type { TodoScope } from "../../ground/store/index.ts"

/** Fields that a user or another program sets on a todo. Omitted fields do not change. */
export interface TodoPatch {
  content?: string | undefined
  description?: string | undefined
  status?: TodoStatus | undefined
  priority?: TodoPriority | undefined
  /** Index in its list from 0; the other items move. */
  position?: number | undefined
  /**
   * A position to store unchanged, instead of an index. Other items do not move, so gaps and equal positions are
   * possible.
   */
  exactPosition?: number | undefined
  /** Ids, numbers or exact contents of todos of the same list, or ids and numbers of tenant-wide ones. */
  dependsOn?: string[] | undefined
  owner?: Todo["owner"] | undefined
  proposed?: Todo["proposed"] | undefined
  /** Epoch ms. Without it, closing sets the time and reopening clears it. */
  completed?: number | null | undefined
}

/** The parts of the transcript that ran while a todo was in progress. */
export interface TodoEvidence {
  sessionID: string
  /** `worked`: whether the span contains calls that are not about todos; null when unknown. */
  spans: (WorkSpan & { worked: boolean | null })[]
}

/** First and last part of a span in which an item was in progress; `toPartID` is null while it is. */
export interface WorkSpan {
  fromPartID: string | null
  toPartID: string | null
  startedAt: number
  endedAt: number | null
}

/** A todo that a task proposes as done, and the root session of its list; null for a tenant-wide todo. */
export interface ProposedTodo {
  todo: Todo
  rootID: string | null
}

export interface TodoService {
  /** The session's own list. */
  list(sessionID: string): Promise<Todo[]>
  /** All lists of a tree, to show them below the parent's. */
  tree(sessionID: string): Promise<Record<string, Todo[]>>
  find(query: {
    scope: TodoScope
    status?: TodoStatus | undefined
    agent?: string | undefined
    limit?: number | undefined
  }): Promise<Todo[]>
  /** Todos that tasks propose as done and nobody has decided on, from all lists. */
  proposed(): Promise<ProposedTodo[]>
  /** By id or number. @throws todo_not_found */
  get(ref: string | number): Promise<Todo>
  replace(sessionID: string, items: TodoInput[], origin: TodoChangeOrigin): Promise<Todo[]>
  /**
   * Replaces the list for an agent that may not know its present state. @returns the new list, the old list, and the
   * differences from what was sent
   */
  write(
    sessionID: string,
    items: TodoInput[],
    origin: TodoChangeOrigin,
    baseline: TodoBaseline,
  ): Promise<{ before: Todo[]; todos: Todo[]; remarks: string[] }>
  /** `sessionID: null` makes a tenant-wide item. */
  create(
    input: {
      /** The id from the request's key; a new one when omitted. */
      id?: string | undefined
      sessionID: string | null
      content: string
      agent?: string | null | undefined
    } & TodoPatch,
    origin: TodoChangeOrigin,
  ): Promise<Todo>
  /**
   * Adds the steps of a plan after the session's items. A step with the same text that was added before is not added
   * again, whatever happened to its item.
   * @returns the new items, and how many steps had been added before
   */
  addSteps(sessionID: string, steps: PlannedStep[], origin: TodoChangeOrigin): Promise<{ added: Todo[]; known: number }>
  /** @throws todo_not_found, todo_blocked (names the blockers), todo_cycle */
  update(ref: string | number, patch: TodoPatch, origin: TodoChangeOrigin): Promise<Todo>
  remove(ref: string | number, origin: TodoChangeOrigin): Promise<void>
  history(query: {
    todoID?: string | undefined
    sessionID?: string | undefined
    limit?: number | undefined
  }): Promise<TodoChange[]>
  /** Null for a todo that was never in progress, and for a tenant-wide one without an owner. */
  evidence(ref: string | number): Promise<TodoEvidence | null>
}

/** A step of a plan as an item. */
export interface PlannedStep extends Pick<Todo, "content" | "description" | "status"> {
  plan: TodoPlan
}

/** What an agent knows about a list. */
export interface TodoBaseline {
  /** When the agent last saw the list (epoch ms); 0 for never. */
  at: number
  /** The tool call in which the agent saw it, so that its own changes are known. */
  partID: string | null
  /** Whether a change that an agent made in this message is this agent's own. */
  isOwn(messageID: string | null): boolean
}

/** Who changes a todo, and in which tool call. */
export interface TodoChangeOrigin {
  actor: TodoActor
  /** The user behind the change. */
  by?: Caller | undefined
  messageID?: string | undefined
  partID?: string | undefined
}
