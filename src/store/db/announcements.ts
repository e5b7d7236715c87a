/** Who waits in this process to be told of commits, by topic. */
import type { Topic } from './database.js'

export interface Announcements {
  /** Calls back whenever the topic is told; the answer stops it. */
  on(topic: Topic, listener: () => void): () => void
  tell(topics: Iterable<Topic>): void
}

export function createAnnouncements(): Announcements {
  const listeners = new Map<Topic, Set<() => void>>()
  return {
    on(topic: Topic, listener: () => void): () => void {
      const ofTopic = listeners.get(topic) ?? new Set()
      listeners.set(topic, ofTopic.add(listener))
      return () => void ofTopic.delete(listener)
    },
    tell(topics: Iterable<Topic>): void {
      for (const topic of topics) for (const listener of listeners.get(topic) ?? []) listener()
    },
  }
}
