/** Publish-subscribe within this process: listeners of commits, by topic. */
import type { Topic } from './database.js'

export interface CommitAnnouncements {
  /** Calls the listener whenever the topic is published; returns a function that unsubscribes it. */
  on(topic: Topic, listener: () => void): () => void
  publish(topics: Iterable<Topic>): void
}

export function createAnnouncements(): CommitAnnouncements {
  const listeners = new Map<Topic, Set<() => void>>()
  return {
    on(topic: Topic, listener: () => void): () => void {
      const ofTopic = listeners.get(topic) ?? new Set()
      listeners.set(topic, ofTopic.add(listener))
      return () => void ofTopic.delete(listener)
    },
    publish(topics: Iterable<Topic>): void {
      for (const topic of topics) for (const listener of listeners.get(topic) ?? []) listener()
    },
  }
}
