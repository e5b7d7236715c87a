/** The supported database engines; every installation has one. */
export type Engine = 'sqlite' | 'postgres'
