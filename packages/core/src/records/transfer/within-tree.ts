import type { Session, SessionFile, Task, Todo, TodoChange } from "../../ground/schema/index.ts"

// What a row may change or tell by the ids that it names, when a list is worked on, a task is repeated or an undo taken
// back: nothing outside of its own tree. A file names what it likes.

/** Ids of a tree. */
export interface TreeIDs {
  sessions: ReadonlySet<string>
  todos: ReadonlySet<string>
}

/** A file whose rows name nothing outside of its tree that they would work on. */
export function withinTree(file: SessionFile): SessionFile {
  const ids: TreeIDs = {
    sessions: new Set(file.sessions.map(({ session }) => session.id)),
    todos: new Set(file.sessions.flatMap(({ todos }) => todos.map(({ id }) => id))),
  }
  return {
    ...file,
    sessions: file.sessions.map((each) => ({
      ...each,
      session: sessionWithin(each.session, ids),
      todos: each.todos.map((todo) => todoWithin(todo, ids)),
      todoChanges: each.todoChanges.map((change) => changeWithin(change, ids)),
    })),
    tasks: file.tasks.map((task) => taskWithin(task, ids)),
  }
}

/** Redo brings the children of an undo back. */
export function sessionWithin(session: Session, { sessions }: TreeIDs): Session {
  const { revert } = session
  return revert
    ? { ...session, revert: { ...revert, children: revert.children.filter((id) => sessions.has(id)) } }
    : session
}

/** Who begins a todo is told what it waits for. */
export function todoWithin(todo: Todo, { todos }: TreeIDs): Todo {
  return { ...todo, dependsOn: todo.dependsOn.filter((id) => todos.has(id)) }
}

export function changeWithin(change: TodoChange, ids: TreeIDs): TodoChange {
  const { before, after } = change
  return { ...change, before: before && todoWithin(before, ids), after: after && todoWithin(after, ids) }
}

/** Repeating a task works on its todo again. */
export function taskWithin(task: Task, { todos }: TreeIDs): Task {
  return { ...task, todoID: task.todoID !== null && todos.has(task.todoID) ? task.todoID : null }
}
