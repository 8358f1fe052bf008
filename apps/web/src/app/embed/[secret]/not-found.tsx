import { ShareGone } from "../../../features/share/share-gone.tsx"

export default function NotFound() {
  return <ShareGone />
}
