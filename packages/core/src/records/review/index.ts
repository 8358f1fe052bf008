export { maxComment } from "./comment-text.ts"
export { reviewNotice, reviewText } from "./review-messages.ts"
