/** Whether a folder is on a network drive, where several machines would share a file that SQLite locks for one. */
import { statfsSync } from 'node:fs';

/** Types of file systems as Linux numbers them (statfs(2)). */
const networkTypes = new Map<number, string>([
	[0x6969, 'NFS'],
	[0xff534d42, 'CIFS'],
	[0xfe534d42, 'SMB2'],
	[0x517b, 'SMB'],
	[0x01021997, '9P (a share of the host, as in WSL)'],
	[0x65735546, 'FUSE (sshfs and the like)'],
	[0x5346414f, 'AFS'],
	[0x00c36400, 'Ceph'],
	[0x19830326, 'Lustre'],
]);

/** The number of the file system's type; undefined where the platform does not tell. */
export type FileSystemType = (folder: string) => number | undefined;

function fileSystemType(folder: string): number | undefined {
	if (process.platform !== 'linux') return undefined;
	try {
		// Some platforms hand the number out as a negative one.
		return statfsSync(folder).type >>> 0;
	} catch {
		return undefined;
	}
}

/** A warning with a way out, or null. */
export function networkDriveNotice(
	folder: string,
	typeOf: FileSystemType = fileSystemType,
): string | null {
	const type = typeOf(folder);
	const name = folder.startsWith('\\\\')
		? 'a Windows share'
		: type === undefined
			? undefined
			: networkTypes.get(type);
	if (name === undefined) return null;
	return `The database is on a network drive (${name}): ${folder}. Used from two machines at once it can be damaged. Choose a folder of this machine with --db or GROVE_DB, and exchange runs as bundles (grove runs export).`;
}
