export { isClosed } from "./is-closed.ts"
export { listAt } from "./list-at.ts"
export { openTodoList } from "./open-todo-list.ts"
export { workSpans } from "./work-spans.ts"
