export { listAt } from "../../ground/message/list-at.ts"
export { isClosed } from "./is-closed.ts"
export { openTodoList } from "./open-todo-list.ts"
export { servedAt, workSpans } from "./work-spans.ts"
