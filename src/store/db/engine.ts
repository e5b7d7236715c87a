/** The engines that Octavo keeps its rows in; every installation has one. */
export type Engine = 'sqlite' | 'postgres'
