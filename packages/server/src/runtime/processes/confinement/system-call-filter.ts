/**
 * A seccomp filter (seccomp(2)) as bubblewrap loads it: instructions of BPF. It refuses calls that programs of callers
 * do not need, and that reach parts of the kernel where sandbox escapes are found. All other calls are allowed.
 */

interface Architecture {
  /** AUDIT_ARCH_ of linux/audit.h. */
  readonly id: number;
  /** Calls in the order of `refused`, as asm/unistd.h numbers them. */
  readonly refused: readonly number[];
  readonly clone: number;
  readonly unshare: number;
  readonly ioctl: number;
  readonly hasX32: boolean;
}

/**
 * The same numbers on all architectures: io_uring_setup, _enter and _register, open_tree to mount_setattr,
 * open_tree_attr.
 */
const common = [425, 426, 427, 428, 429, 430, 431, 432, 433, 442, 467];

const architectures: Readonly<Record<string, Architecture>> = {
  x64: {
    id: 0xc000003e,
    refused: [
      ...[248, 249, 250], // add_key, request_key, keyctl
      ...[321, 298, 323], // bpf, perf_event_open, userfaultfd
      ...[246, 320, 175, 313, 176], // kexec_load, kexec_file_load, init_module, finit_module, delete_module
      ...[165, 166, 155, 304, 308], // mount, umount2, pivot_root, open_by_handle_at, setns
      ...[101, 310, 311], // ptrace, process_vm_readv, process_vm_writev
      ...common,
    ],
    clone: 56,
    unshare: 272,
    ioctl: 16,
    hasX32: true,
  },
  arm64: {
    id: 0xc00000b7,
    refused: [
      ...[217, 218, 219],
      ...[280, 241, 282],
      ...[104, 294, 105, 273, 106],
      ...[40, 39, 41, 265, 268],
      ...[117, 270, 271],
      ...common,
    ],
    clone: 220,
    unshare: 97,
    ioctl: 29,
    hasX32: false,
  },
};

const clone3 = 435;
const x32Bit = 0x40000000;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const newNamespaces = 0x7e020000;
/** Only for `unshare`: for `clone`, this bit is part of the signal number. */
const newTimeNamespace = 0x80;
/** Put characters into the input of a terminal. */
const [TIOCSTI, TIOCLINUX] = [0x5412, 0x541c];
const [EPERM, ENOSYS] = [1, 38];

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * Loads a field of `struct seccomp_data` by its offset. For an argument, this is the lower half, which is all that the
 * kernel looks at here.
 */
const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const [number, architecture] = [0, 4];
const argument = (at: number) => 16 + 8 * at;
/** Skips instructions if the comparison is true, or if it is false. */
const equals = (value: number, ifTrue: number, ifFalse: number): Instruction => [
  0x15,
  ifTrue,
  ifFalse,
  value,
];
const hasAnyBit = (value: number, ifTrue: number, ifFalse: number): Instruction => [
  0x45,
  ifTrue,
  ifFalse,
  value,
];
const result = (value: number): Instruction => [0x06, 0, 0, value];
const allow = result(0x7fff0000);
const refuse = (error: number) => result(0x00050000 | error);
const killProcess = result(0x80000000);

const refuseCall = (call: number, error: number) => [equals(call, 0, 1), refuse(error)];

const refuseFlags = (call: number, flags: number) => [
  equals(call, 0, 4),
  load(argument(0)),
  hasAnyBit(flags, 0, 1),
  refuse(EPERM),
  allow,
];

/** Undefined for an architecture whose system call numbers are unknown. */
export function systemCallFilter(name: string): Buffer | undefined {
  const here = architectures[name];
  if (!here) return undefined;
  const instructions: Instruction[] = [
    load(architecture),
    equals(here.id, 1, 0),
    killProcess,
    load(number),
    // x32 reaches the same calls by other numbers.
    ...(here.hasX32 ? [hasAnyBit(x32Bit, 0, 1), killProcess] : []),
    ...here.refused.flatMap((call) => refuseCall(call, EPERM)),
    // The flags of clone3 are in memory, which a filter cannot read. After ENOSYS, libraries call clone.
    ...refuseCall(clone3, ENOSYS),
    ...refuseFlags(here.clone, newNamespaces),
    ...refuseFlags(here.unshare, newNamespaces | newTimeNamespace),
    ...[equals(here.ioctl, 0, 5), load(argument(1)), equals(TIOCSTI, 1, 0), equals(TIOCLINUX, 0, 1)],
    ...[refuse(EPERM), allow],
    allow,
  ];
  const bytes = Buffer.alloc(instructions.length * 8);
  for (const [at, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4);
  }
  return bytes;
}
