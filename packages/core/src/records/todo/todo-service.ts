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

/** What a person or another program sets on a todo. Absent fields stay as they are. */
export interface TodoPatch {
  content?: string | undefined
  description?: string | undefined
  status?: TodoStatus | undefined
  priority?: TodoPriority | undefined
  /** Place in its list from 0; the others move. */
  position?: number | undefined
  /** Instead of a place: the position to store as it is. The others stay, so gaps and equal ones may come about. */
  exactPosition?: number | undefined
  /** Ids, numbers or exact contents of todos of the same list, or ids and numbers of tenant-wide ones. */
  dependsOn?: string[] | undefined
  owner?: Todo["owner"] | undefined
  proposed?: Todo["proposed"] | undefined
  /** Epoch ms. Without it a change into a terminal status stamps the time and reopening clears it. */
  completed?: number | null | undefined
}

/** The parts of the transcript that ran while a todo was in progress. */
export interface TodoEvidence {
  sessionID: string
  /** `worked`: whether calls that are not about todos lie in it; null where that cannot be told. */
  spans: (WorkSpan & { worked: boolean | null })[]
}

/** First and last part of a stretch in which an item was in progress; `toPartID` is null while it goes on. */
export interface WorkSpan {
  fromPartID: string | null
  toPartID: string | null
  startedAt: number
  endedAt: number | null
}

/** A todo that a task proposes as done, and the tree of its list; null for a tenant-wide one. */
export interface ProposedTodo {
  todo: Todo
  rootID: string | null
}

export interface TodoService {
  /** The session's own list. */
  list(sessionID: string): Promise<Todo[]>
  /** Every list of a tree, for the roll-up under the parent's. */
  tree(sessionID: string): Promise<Record<string, Todo[]>>
  find(query: {
    scope: TodoScope
    status?: TodoStatus | undefined
    agent?: string | undefined
    limit?: number | undefined
  }): Promise<Todo[]>
  /** Those that tasks propose as done and nobody has decided on, of all lists. */
  proposed(): Promise<ProposedTodo[]>
  /** By id or number. @throws todo_not_found */
  get(ref: string | number): Promise<Todo>
  replace(sessionID: string, items: TodoInput[], by: TodoChangeOrigin): Promise<Todo[]>
  /** Replaces the list as an agent does that may not know how it stands. @returns it, as it was before, and what is not as it was sent */
  write(
    sessionID: string,
    items: TodoInput[],
    by: TodoChangeOrigin,
    baseline: TodoBaseline,
  ): Promise<{ before: Todo[]; todos: Todo[]; remarks: string[] }>
  /** `sessionID: null` makes a tenant-wide item. */
  create(
    input: {
      /** That of the request's key; a new one when left out. */
      id?: string | undefined
      sessionID: string | null
      content: string
      agent?: string | null | undefined
    } & TodoPatch,
    by: TodoChangeOrigin,
  ): Promise<Todo>
  /**
   * Adds the steps of a plan behind the session's items. A step that was added before, as it reads now, is not added
   * again, whatever became of its item.
   * @returns the new items, and how many steps were there already
   */
  addSteps(sessionID: string, steps: PlannedStep[], by: TodoChangeOrigin): Promise<{ added: Todo[]; known: number }>
  /** @throws todo_not_found, todo_blocked (names the blockers), todo_cycle */
  update(ref: string | number, patch: TodoPatch, by: TodoChangeOrigin): Promise<Todo>
  remove(ref: string | number, by: TodoChangeOrigin): Promise<void>
  history(query: {
    todoID?: string | undefined
    sessionID?: string | undefined
    limit?: number | undefined
  }): Promise<TodoChange[]>
  evidence(ref: string | number): Promise<TodoEvidence | null>
}

/** A step of a plan as an item. */
export interface PlannedStep extends Pick<Todo, "content" | "description" | "status"> {
  plan: TodoPlan
}

/** What an agent knows of a list. */
export interface TodoBaseline {
  /** When it last saw it (epoch ms); 0 for never. */
  at: number
  /** The tool call in which it saw it: its own changes are known. */
  partID: string | null
  /** Whether a change that an agent made is its own. */
  isOwn(messageID: string | null): boolean
}

/** Who changes a todo, and the tool call in which they do. */
export interface TodoChangeOrigin {
  actor: TodoActor
  /** The person behind it. */
  by?: Caller | undefined
  messageID?: string | undefined
  partID?: string | undefined
}
