type AsyncMethod = (...args: never[]) => Promise<unknown>;

/** Names of the methods of `T` that return a promise. */
export type AsyncMethodName<T> = keyof { [K in keyof T as T[K] extends AsyncMethod ? K : never]: T[K] } &
  keyof T &
  string;

export type MethodArgs<T, Name extends keyof T> = T[Name] extends (...args: infer Args) => unknown ? Args : never;

/** The members of `T` that cannot be derived, and derived ones that are replaced. */
type OwnMembers<T> = Omit<T, AsyncMethodName<T>> & Partial<T>;

/** Carries out a call of one of the derived methods. */
export type CallMethod<T> = <Name extends AsyncMethodName<T>>(
  method: Name,
  args: MethodArgs<T, Name>,
) => Promise<unknown>;

/** The asynchronous methods of `T`. */
type DerivedMethods<T> = Pick<T, AsyncMethodName<T>>;

/** The asynchronous methods of `T`, which all go through `call`. One that is added to `T` works without a change here. */
export function deriveMethods<T>(call: CallMethod<T>): DerivedMethods<T> {
  // The compiler cannot check a proxy. This cast states that name, arguments and result belong together.
  const derive =
    (name: string) =>
    (...args: unknown[]) =>
      call(name as AsyncMethodName<T>, args as never);
  // `await` asks every object whether it has a method `then`.
  const get = (_: object, name: string | symbol) =>
    typeof name === "symbol" || name === "then" ? undefined : derive(name);
  return new Proxy({}, { get }) as DerivedMethods<T>;
}

/**
 * An object of type `T`: its derived methods, and the other members.
 *
 * @param own what stands here takes precedence over the derived methods
 */
export function withDerivedMethods<T extends object>(own: OwnMembers<T>, derived: DerivedMethods<T>): T {
  const get = (_: object, name: string | symbol) => Reflect.get(Reflect.has(own, name) ? own : derived, name);
  return new Proxy(own, { get }) as unknown as T;
}
